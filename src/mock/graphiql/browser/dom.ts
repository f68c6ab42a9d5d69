// Declares the parts of the browser and of GraphiQL that the page uses. TypeScript's `dom` library
// would declare `window` for every module of the service, which runs in Node.

export interface PageElement {
  textContent: string | null;
  className: string;
  hidden: boolean;
  disabled: boolean;
  value: string;
  type: string;
  /** Only for option groups. */
  label: string;
  /** Only for <details>. */
  open: boolean;
  addEventListener(
    type: 'click' | 'change' | 'submit' | 'toggle',
    listener: (event: { preventDefault(): void }) => void,
  ): void;
  replaceChildren(...children: PageElement[]): void;
  focus(): void;
}

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
  readonly onEditors: (editors: Editors) => void;
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
  /** GraphiQL, extended to expose its editors. */
  readonly GraphiQL: unknown;
}

// Set by the browser and by scripts that the page loads earlier, which the compiler does not see.
const browser = globalThis as unknown as Browser;

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

export function addressOf(path: string): string {
  return new URL(path, browser.location.href).href;
}

/** Returns false when the browser denies access to the clipboard: outside TLS and localhost. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await browser.navigator.clipboard?.writeText(text);
    return browser.navigator.clipboard !== undefined;
  } catch {
    return false;
  }
}

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
      isHeadersEditorEnabled: false,
      showPersistHeadersSettings: false,
    }),
  );
  return () => root.unmount();
}
