// What the page uses of the browser and of GraphiQL. Written out, because the compiler's own `dom` library would give
// `window` and `document` to every module of the service, which runs where there are none.

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

/** A GraphQL request as GraphiQL hands it to its fetcher. */
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

// The one place where the compiler is told that this module runs in a browser, after the scripts the page loads first.
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

/** Puts GraphiQL into the container; gives the function that takes it out again. */
export function showGraphiQL(container: PageElement, fetcher: Fetcher, defaultQuery: string): () => void {
  const root = browser.ReactDOM.createRoot(container);
  root.render(
    browser.React.createElement(browser.GraphiQL, {
      fetcher,
      defaultQuery,
      // The headers are the page's business: there is no editor for them, and nothing to keep.
      isHeadersEditorEnabled: false,
      showPersistHeadersSettings: false,
    }),
  );
  return () => root.unmount();
}
