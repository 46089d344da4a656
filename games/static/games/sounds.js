// Soft sounds, made here and nowhere else: "deal", "card", "call", "trick" (taken), "turn" (yours), "bid" (said),
// "made" and "missed" (at a round's end), "fill-0" to "fill-7" (a circle, rising) and "over" (one too many).
// Silent unless this device has them switched on (settings.js), and until somebody has touched the page, as
// browsers demand; where there is no Web Audio nothing happens.

const LOUD = 0.5; // at a volume of 50; none is cut off at 100
const GESTURES = ["pointerup", "touchend", "click", "keydown"];
let context = null;
let noise = null;
let touched = false;

// A gain that swells and fades between two times, and what goes into it.
function shaped(to, at, { swell = 0.005, length, peak }) {
  const gain = to.context.createGain();
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(peak, at + swell);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  gain.connect(to);
  return gain;
}

function paper(to, at, { from, till = from, width = 1, ...shape }) {
  const filter = new BiquadFilterNode(to.context, { type: "bandpass", frequency: from, Q: width });
  filter.frequency.setValueAtTime(from, at);
  filter.frequency.exponentialRampToValueAtTime(till, at + shape.length);
  filter.connect(shaped(to, at, shape));
  const source = new AudioBufferSourceNode(to.context, { buffer: rustle(to.context) });
  source.connect(filter);
  source.start(at, Math.random() * 0.5, shape.length);
}

function tone(to, at, frequency, shape) {
  const out = shaped(to, at, shape);
  // A little of the octave above makes it warm.
  for (const [times, part] of [[1, 0.8], [2, 0.2]]) {
    const gain = new GainNode(to.context, { gain: part });
    const source = new OscillatorNode(to.context, { frequency: frequency * times });
    source.connect(gain).connect(out);
    source.start(at);
    source.stop(at + shape.length);
  }
}

function rustle(of) {
  if (noise?.sampleRate === of.sampleRate) return noise;
  noise = new AudioBuffer({ length: of.sampleRate, sampleRate: of.sampleRate });
  const samples = noise.getChannelData(0);
  for (let i = 0; i < samples.length; i += 1) samples[i] = 2 * Math.random() - 1;
  return noise;
}

export const SOUNDS = {
  deal(to, at) {
    for (let k = 0; k < 7; k += 1) {
      paper(to, at + 0.055 * k, { from: 3800, width: 1.2, length: 0.05, peak: 0.55 });
    }
  },
  card(to, at) {
    paper(to, at, { from: 1500, till: 700, width: 0.8, length: 0.09, peak: 0.9 });
    tone(to, at, 130, { length: 0.11, peak: 0.5 });
  },
  trick(to, at) {
    paper(to, at, { from: 500, till: 2400, width: 1, swell: 0.2, length: 0.42, peak: 0.8 });
  },
  turn(to, at) {
    tone(to, at, 392, { swell: 0.02, length: 0.26, peak: 0.5 });
    tone(to, at + 0.16, 523.25, { swell: 0.02, length: 0.3, peak: 0.5 });
  },
  bid(to, at) {
    [659.25, 783.99, 1046.5].forEach((frequency, k) => {
      tone(to, at + 0.08 * k, frequency, { swell: 0.01, length: 0.2, peak: 0.4 });
    });
  },
  call(to, at) {
    tone(to, at, 1760, { swell: 0.004, length: 0.07, peak: 0.3 });
    tone(to, at + 0.08, 1318.5, { swell: 0.004, length: 0.09, peak: 0.3 });
  },
  made(to, at) {
    [1046.5, 1318.5, 1568, 2093].forEach((frequency, k) => {
      tone(to, at + 0.05 * k, frequency, { swell: 0.01, length: 0.5 - 0.05 * k, peak: 0.22 });
    });
  },
  missed(to, at) {
    tone(to, at, 207.65, { swell: 0.02, length: 0.22, peak: 0.5 });
    tone(to, at + 0.18, 174.61, { swell: 0.02, length: 0.32, peak: 0.5 });
  },
  over(to, at) {
    tone(to, at, 220, { swell: 0.01, length: 0.16, peak: 0.5 });
  },
};

// A major scale, a note to each trick of a bid.
[523.25, 587.33, 659.25, 698.46, 783.99, 880, 987.77, 1046.5].forEach((frequency, k) => {
  SOUNDS[`fill-${k}`] = (to, at) => tone(to, at, frequency, { swell: 0.008, length: 0.18, peak: 0.4 });
});

// Put one of the sounds into any context, at a time of its clock.
export function make(name, into, at = into.currentTime) {
  const to = new GainNode(into, { gain: LOUD * Math.min(1.4, (window.xactika?.volume() ?? 50) / 50) });
  to.connect(into.destination);
  SOUNDS[name](to, at);
}

const wanted = () => Boolean(window.xactika?.sound());

function wake() {
  try {
    context ??= new AudioContext();
    if (context.state !== "running") context.resume().catch(() => {});
  } catch { /* this browser makes no sound */ }
  return context;
}

// Only during a gesture may a device begin to sound, and after a call or a sleep it must begin again.
for (const gesture of GESTURES) {
  addEventListener(gesture, () => {
    touched = true;
    if (wanted()) wake();
  }, { capture: true, passive: true });
}

export function sound(name) {
  if (!touched || !wanted() || wake()?.state !== "running") return;
  try {
    make(name, context);
  } catch { /* a sound is never worth an error */ }
}

window.arrived?.(import.meta.url);
