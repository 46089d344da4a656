// The form of a class session: a file that is too long is told so beside the field, before it is
// sent and all else that was chosen with it.

const upload = document.getElementById("id_upload");

upload.addEventListener("change", () => {
  const isLong = upload.files[0]?.size > Number(upload.dataset.most);
  const text = isLong ? upload.dataset.tooLong : "";
  let line = document.getElementById("id_upload_error");
  if (!line) {
    line = document.createElement("p");
    line.id = "id_upload_error";
    line.className = "field-error";
    line.setAttribute("role", "alert");
    upload.after(line);
  }
  line.textContent = text;
  upload.setAttribute("aria-invalid", isLong);
  upload.setCustomValidity(text);
});

window.arrived?.(import.meta.url);
