// A link for a friend, or a command: copied, or handed to another program, where the browser can (over https alone).
// Everywhere it is a field that is selected when it is entered; a link is a code to scan, too.

const field = (id) => document.getElementById(id);

// Over plain http there is no clipboard but this older one, which takes what is selected and shown.
async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const shown = document.createElement("textarea");
  shown.value = text;
  document.body.append(shown);
  shown.select();
  const isDone = document.execCommand("copy");
  shown.remove();
  if (!isDone) throw new Error("not copied");
}

for (const button of document.querySelectorAll("[data-copies]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const label = button.firstChild.data;
    const link = field(button.dataset.copies);
    try {
      await copy(link.value);
    } catch {
      link.closest("details")?.setAttribute("open", "");
      return link.focus();
    }
    button.focus();
    button.firstChild.data = button.dataset.done;
    setTimeout(() => (button.firstChild.data = label), 3000);
  });
}
for (const button of document.querySelectorAll("[data-shares]")) {
  button.hidden = !navigator.share;
  const data = { title: "Xactika", url: field(button.dataset.shares).value };
  button.addEventListener("click", () => navigator.share(data).catch(() => {})); // or thought better of it
}

window.arrived?.(import.meta.url);
