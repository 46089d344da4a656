// Somebody scanned their own slip: what stands behind the # are their three words. They are typed, and go from the
// address at once; nobody else is sent them. The page may have been open already.
function typeWords() {
  const words = decodeURIComponent(location.hash.slice(1)).replaceAll("-", " ");
  const field = document.getElementById("phrase");
  if (!field || !/^[\p{L} ’']{5,80}$/u.test(words)) return;
  field.value = words;
  field.form.querySelector("button").focus();
  history.replaceState(null, "", location.pathname + location.search);
}

typeWords();
addEventListener("hashchange", typeWords);

window.arrived?.(import.meta.url);
