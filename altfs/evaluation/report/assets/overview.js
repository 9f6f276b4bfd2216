// The table of the first screen, by target, size, score and dataset.

const VIEW_FIELDS = ["target", "size", "score", "dataset"];

function startOverview() {
  const form = document.getElementById("view"), box = document.getElementById("views");
  if (!form) return;
  const { elements } = form;
  const choose = async () => {
    let left = study.views;
    VIEW_FIELDS.forEach((field, at) => {
      const values = distinct(left.map((view) => view[at]));
      fillSelect(elements[field], values.map((value) => [value, value || "mean of all"]));
      elements[field].parentElement.hidden = values.length < 2;
      left = left.filter((view) => view[at] === elements[field].value);
    });
    const dataset = elements.dataset.value, key = left[0].join("|");
    const find = () => [...box.children].find((view) => view.dataset.key === key);
    // Made by the page's templates, which escape the study's texts.
    if (!find()) box.insertAdjacentHTML("beforeend", await textOf(`views:${dataset}`));
    const shownView = find();
    if (elements.dataset.value === dataset) for (const view of box.children) view.hidden = view !== shownView;
  };
  form.addEventListener("change", choose);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  choose();
}
