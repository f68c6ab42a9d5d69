// Declares the parts of the browser and of GraphiQL that the page uses. TypeScript's own `dom` library would declare `window` and
// `document` for every module of the service, which runs in Node.

export interface PageElement {
  textContent: string | null;
  className: string;
  hidden: boolean;
  disabled: boolean;
  value: string;
  type: string;
  /** Of a group of options. */
  label: string;
  /** Of a part that can be opened. */
  open: boolean;
  addEventListener(
    type: 'click' | 'change' | 'submit' | 'toggle',
    listener: (event: { preventDefault(): void }) => void,
  ): void;
  replaceChildren(...children: PageElement[]): void;
  focus(): void;
}

/** A GraphQL request as GraphiQL passes it to its fetcher. */
export interface GraphiQLRequest {
  readonly query: string;
  readonly operationName?: string | null;
  readonly variables?: unknown;
}

export type Fetcher = (request: GraphiQLRequest) => Promise<unknown>;

interface Editor {
  getValue(): string;
  setValue(text: string): void;
}

/** The editors of the tab that is open. */
export interface Editors {
  readonly queryEditor: (Editor & { readonly operationName: string | null }) | null;
  readonly variableEditor: Editor | null;
  readonly responseEditor: Editor | null;
  readonly tabs: readonly unknown[];
  addTab(): void;
}

interface GraphiQLOptions {
  readonly fetcher: Fetcher;
  readonly defaultQuery: string;
  /** Called with the editors whenever they or the tabs change. */
  readonly onEditors: (editors: Editors) => void;
  /** Called when somebody has edited query or variables. */
  readonly onEdit: () => void;
}

interface ReactRoot {
  render(element: unknown): void;
  unmount(): void;
}

interface Browser {
  readonly location: { readonly search: string; readonly href: string };
  readonly navigator: { readonly clipboard?: { writeText(text: string): Promise<void> } };
  readonly document: {
    getElementById(id: string): PageElement | null;
    createElement(tag: 'button' | 'option' | 'optgroup'): PageElement;
  };
  readonly React: {
    createElement(
      component: unknown,
      props: { readonly fetcher: Fetcher } & Readonly<Record<string, unknown>>,
    ): unknown;
  };
  readonly ReactDOM: { createRoot(container: PageElement): ReactRoot };
  /** GraphiQL, which also hands over its editors. */
  readonly GraphiQL: unknown;
}

// This module runs in a browser, after the scripts that the page loads first; the compiler cannot know that.
const browser = globalThis as unknown as Browser;

/** The parameters in the page's address. */
export const parameters = new URLSearchParams(browser.location.search);

export function byId(id: string): PageElement {
  const element = browser.document.getElementById(id);
  if (!element) throw new Error(`The page has no element with the id ${id}.`);
  return element;
}

export function newButton(label: string, onClick: () => void): PageElement {
  const button = browser.document.createElement('button');
  button.type = 'button';
  button.className = 'control';
  button.textContent = label;
  button.addEventListener('click', onClick);
  return button;
}

export function newOption(value: string, label: string): PageElement {
  const option = browser.document.createElement('option');
  option.value = value;
  option.textContent = label;
  return option;
}

export function newOptionGroup(label: string, options: readonly PageElement[]): PageElement {
  const group = browser.document.createElement('optgroup');
  group.label = label;
  group.replaceChildren(...options);
  return group;
}

/** The whole address of a path that is relative to the page. */
export function addressOf(path: string): string {
  return new URL(path, browser.location.href).href;
}

/** False where the browser does not let the page write to the clipboard: at an address without TLS that is not of this machine. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await browser.navigator.clipboard?.writeText(text);
    return browser.navigator.clipboard !== undefined;
  } catch {
    return false;
  }
}

/** Shows GraphiQL in the container; returns a function that removes it. */
export function showGraphiQL(
  container: PageElement,
  { fetcher, defaultQuery, onEditors, onEdit }: GraphiQLOptions,
): () => void {
  const root = browser.ReactDOM.createRoot(container);
  root.render(
    browser.React.createElement(browser.GraphiQL, {
      fetcher,
      defaultQuery,
      onEditors,
      onEditQuery: onEdit,
      onEditVariables: onEdit,
      defaultEditorToolsVisibility: 'variables',
      // The page sets the headers itself, so there is no editor for them.
      isHeadersEditorEnabled: false,
      showPersistHeadersSettings: false,
    }),
  );
  return () => root.unmount();
}
