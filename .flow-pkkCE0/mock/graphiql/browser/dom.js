const browser = globalThis;
const parameters = new URLSearchParams(browser.location.search);
function byId(id) {
  const element = browser.document.getElementById(id);
  if (!element) throw new Error(`The page has no element with the id ${id}.`);
  return element;
}
function newButton(label, onClick) {
  const button = browser.document.createElement("button");
  button.type = "button";
  button.className = "control";
  button.textContent = label;
  button.addEventListener("click", onClick);
  return button;
}
function newOption(value, label) {
  const option = browser.document.createElement("option");
  option.value = value;
  option.textContent = label;
  return option;
}
function newOptionGroup(label, options) {
  const group = browser.document.createElement("optgroup");
  group.label = label;
  group.replaceChildren(...options);
  return group;
}
function addressOf(path) {
  return new URL(path, browser.location.href).href;
}
async function copyText(text) {
  try {
    await browser.navigator.clipboard?.writeText(text);
    return browser.navigator.clipboard !== void 0;
  } catch {
    return false;
  }
}
function showGraphiQL(container, { fetcher, defaultQuery, onEditors, onEdit }) {
  const root = browser.ReactDOM.createRoot(container);
  root.render(
    browser.React.createElement(browser.GraphiQL, {
      fetcher,
      defaultQuery,
      onEditors,
      onEditQuery: onEdit,
      onEditVariables: onEdit,
      defaultEditorToolsVisibility: "variables",
      // The page sets the headers itself, so there is no editor for them.
      isHeadersEditorEnabled: false,
      showPersistHeadersSettings: false
    })
  );
  return () => root.unmount();
}
export {
  addressOf,
  byId,
  copyText,
  newButton,
  newOption,
  newOptionGroup,
  parameters,
  showGraphiQL
};
