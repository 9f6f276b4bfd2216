// The table of the first screen, by target, size, score and dataset.

function startOverview() {
  const form = document.getElementById("view"), box = document.getElementById("views");
  if (!form) return;
  const { target, size, score, dataset } = form.elements, selects = { target, size, score, dataset };
  const views = study.views.map((key) => Object.fromEntries(Object.keys(selects).map((field, at) => [field, key[at]])));
  const choose = async () => {
    const [view] = chosenOf(views, selects, (field, values) => {
      selects[field].parentElement.hidden = values.length < 2;
      return values.map((value) => [value, value || "mean of all"]);
    });
    const key = Object.values(view).join("|"), find = () => [...box.children].find((one) => one.dataset.key === key);
    // Made by the page's templates, which escape the study's texts.
    if (!find()) box.insertAdjacentHTML("beforeend", await textOf(`views:${view.dataset}`));
    if (dataset.value === view.dataset) for (const one of box.children) one.hidden = one !== find();
  };
  form.addEventListener("change", choose);
  form.hidden = views.length < 2;
  choose();
}
