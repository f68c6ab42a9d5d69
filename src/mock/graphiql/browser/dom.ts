// Declares the parts of the browser and of GraphiQL that the page uses. TypeScript's own `dom` library would declare `window` and
// `document` for every module of the service, which runs in Node.

export interface PageElement {
  textContent: string | null;
  className: string;
  hidden: boolean;
  disabled: boolean;
  value: string;
  type: string;
  addEventListener(type: 'click' | 'change' | 'submit', listener: (event: { preventDefault(): void }) => void): void;
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

interface ReactRoot {
  render(element: unknown): void;
  unmount(): void;
}

interface Browser {
  readonly location: { readonly search: string };
  readonly document: {
    getElementById(id: string): PageElement | null;
    createElement(tag: 'button' | 'option'): PageElement;
  };
  readonly React: {
    createElement(
      component: unknown,
      props: { readonly fetcher: Fetcher } & Readonly<Record<string, unknown>>,
    ): unknown;
  };
  readonly ReactDOM: { createRoot(container: PageElement): ReactRoot };
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

/** Shows GraphiQL in the container; returns a function that removes it. */
export function showGraphiQL(container: PageElement, fetcher: Fetcher, defaultQuery: string): () => void {
  const root = browser.ReactDOM.createRoot(container);
  root.render(
    browser.React.createElement(browser.GraphiQL, {
      fetcher,
      defaultQuery,
      // The page sets the headers itself, so there is no editor for them.
      isHeadersEditorEnabled: false,
      showPersistHeadersSettings: false,
    }),
  );
  return () => root.unmount();
}
