// A button that copies the code of a block, without prompts and printed lines.
document.querySelectorAll("div.highlight").forEach((block) => {
  const button = document.createElement("button");
  button.className = "copy";
  button.textContent = "Copy";
  button.onclick = () => {
    const lines = block.querySelector("pre").textContent.split("\n");
    const prompted = lines.filter((line) => /^(>>>|\.\.\.)( |$)/.test(line));
    const code = prompted.length ? prompted.map((line) => line.slice(4)) : lines;
    navigator.clipboard.writeText(code.join("\n")).then(() => (button.textContent = "Copied"));
  };
  block.append(button);
});
