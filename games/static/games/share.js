// A link for a friend: copied, or handed to another program, where the browser can (over https alone). Everywhere it is a
// field that is selected when it is entered, and a code to scan.

const field = (id) => document.getElementById(id);

for (const button of document.querySelectorAll("[data-copies]")) {
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    const label = button.firstChild.data;
    await navigator.clipboard.writeText(field(button.dataset.copies).value);
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
