// A page that is still counted: asked for again until it is there.

const bar = document.getElementById("counting");

async function ask() {
  const answer = await fetch(location.href, { headers: { "X-Asks-Again": "1" } }).catch(() => null);
  if (answer && answer.status !== 202 && answer.status !== 503) {
    location.reload();
    return;
  }
  const done = Number(answer?.headers.get("X-Done"));
  if (done > 0) bar.value = done;
  setTimeout(ask, 1000);
}

setTimeout(ask, 1000);

window.arrived?.(import.meta.url);
