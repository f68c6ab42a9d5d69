// The page's screens: login, choice of a user if the login has several, GraphiQL.
import { curlCommand } from './curl.js';
import {
  addressOf,
  byId,
  copyText,
  type Editors,
  type Fetcher,
  newButton,
  newOption,
  newOptionGroup,
  parameters,
  showGraphiQL,
} from './dom.js';
import { endpointPath } from './endpoint-path.js';
import {
  type Example,
  findExampleRecords,
  needsRecords,
  type PageTheme,
  readThemes,
  variablesText,
} from './examples.js';
import { createFetcher, oneAtATime, type ResponseSummary, requestHeaders } from './fetcher.js';
import { type BrowserPorts, PageSession, type User } from './session.js';

const welcomeQuery = `# Ctrl-Enter runs the query.
# Ctrl-Space suggests what fits.
# The book on the left: all types.
{
  getVehicles {
    id
    name
    licensePlate
    lastData {
      timestamp
      gps {
        latitude
        longitude
        speed
      }
    }
  }
}
`;

const ports: BrowserPorts = { fetch: (url, init) => fetch(url, init), now: () => Date.now() };
const path = endpointPath(parameters.get('path'));
const inTurn = oneAtATime();

const login = byId('login');
const username = byId('username');
const password = byId('password');
const problem = byId('problem');
const logInButton = byId('log-in');
const choice = byId('choice');
const choices = byId('choices');
const sessionBar = byId('session');
const userName = byId('user-name');
const userSwitch = byId('user-switch');
const userSelect = byId('user');
const graphiql = byId('graphiql');
const requestBar = byId('request');
const operations = byId('operations');
const curl = byId('curl');
const command = byId('command');
const copied = byId('copied');
const answered = byId('answered');

let current: { readonly session: PageSession; readonly remove: () => void } | null = null;
let switchTo = (_userId: string): void => {};
let openExample = (_name: string): void => {};
let writeCommand = (): void => {};
const themes: Promise<readonly PageTheme[]> = readThemes((url) => ports.fetch(url, {})).catch(() => []);

function leave(): void {
  current?.remove();
  current = null;
}

function showLogin(message: string): void {
  leave();
  graphiql.hidden = true;
  requestBar.hidden = true;
  sessionBar.hidden = true;
  choice.hidden = true;
  login.hidden = false;
  problem.textContent = message;
  (username.value === '' ? username : password).focus();
}

function showChoice(path: string, session: PageSession, users: readonly User[]): void {
  login.hidden = true;
  choice.hidden = false;
  sessionBar.hidden = false;
  userName.hidden = true;
  userSwitch.hidden = true;
  const buttons = users.map((user) => newButton(user.label, () => showSession(path, session, users, user)));
  choices.replaceChildren(...buttons);
  buttons[0]?.focus();
}

function showSession(path: string, session: PageSession, users: readonly User[], user: User): void {
  // Every user gets a new GraphiQL, so that no answers of another user stay on the screen.
  leave();
  login.hidden = true;
  choice.hidden = true;
  sessionBar.hidden = false;
  graphiql.hidden = false;
  requestBar.hidden = false;
  curl.open = false;
  answered.textContent = '';
  userName.textContent = user.label;
  userName.hidden = users.length > 1;
  userSwitch.hidden = users.length === 1;
  userSelect.replaceChildren(...users.map(({ userId, label }) => newOption(userId, label)));
  userSelect.value = user.userId;
  switchTo = (userId) => {
    const next = users.find((candidate) => candidate.userId === userId);
    if (next) showSession(path, session, users, next);
  };
  const options = {
    session,
    userId: user.userId,
    path,
    now: ports.now,
    inTurn,
    onSessionEnded(reason: Error) {
      // A failed request of an earlier session must not end the current one.
      if (current?.session === session) showLogin(reason.message);
    },
  };
  const fetcher = createFetcher({ ...options, onAnswer: showSummary });
  // The menu's own requests do not count as the user's last answer.
  const silentFetcher = createFetcher({ ...options, onAnswer() {} });
  const page = showEditors(path, user, fetcher);
  openExample = (name) => void page.open(name, silentFetcher);
  writeCommand = page.writeCommand;
  current = { session, remove: page.remove };
}

function showSummary({ status, statusText, retryAfter, milliseconds, bytes }: ResponseSummary): void {
  const later = retryAfter === null ? [] : [`Retry-After: ${retryAfter}`];
  answered.textContent = [statusText, ...later, `${Math.round(milliseconds)} ms`, sizeOf(bytes)].join(' · ');
  answered.className = status === 200 ? 'answered' : 'answered failed';
}

function sizeOf(bytes: number): string {
  return bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} kB`;
}

function showEditors(path: string, user: User, fetcher: Fetcher) {
  let editors: Editors | null = null;
  /** The page's last text; a query that the user wrote stays in its tab. */
  let writtenQuery = welcomeQuery;
  let afterNextEditors: (() => void) | null = null;
  const write = (query: string, variables: string): void => {
    writtenQuery = query;
    editors?.queryEditor?.setValue(query);
    editors?.variableEditor?.setValue(variables);
    editors?.responseEditor?.setValue('');
  };
  const writeCommand = (): void => {
    if (!curl.open) return;
    command.value = curlCommand({
      url: addressOf(path),
      headers: requestHeaders(user.userId),
      query: editors?.queryEditor?.getValue() ?? '',
      variables: editors?.variableEditor?.getValue() ?? '',
      operationName: editors?.queryEditor?.operationName ?? null,
    });
    copied.textContent = '';
  };
  const remove = showGraphiQL(graphiql, {
    fetcher,
    defaultQuery: welcomeQuery,
    onEditors(latest) {
      editors = latest;
      afterNextEditors?.();
      afterNextEditors = null;
    },
    onEdit: () => writeCommand(),
  });
  const open = async (name: string, send: Fetcher): Promise<void> => {
    const example = await exampleOf(name);
    if (example === undefined) return;
    // If the records cannot be read, the placeholders stay.
    const recordIds = needsRecords(example) ? await findExampleRecords(send).catch(() => ({})) : {};
    const variables = variablesText(example, recordIds);
    const text = editors?.queryEditor?.getValue() ?? '';
    if (text.trim() === '' || text === writtenQuery) return write(example.document, variables);
    afterNextEditors = () => write(example.document, variables);
    editors?.addTab();
  };
  return { open, writeCommand, remove };
}

async function exampleOf(name: string): Promise<Example | undefined> {
  return (await themes).flatMap(({ examples }) => examples).find((example) => example.name === name);
}

async function fillMenu(): Promise<void> {
  const groups = (await themes).map(({ title, examples }) =>
    newOptionGroup(
      title,
      examples.map(({ name }) => newOption(name, name)),
    ),
  );
  operations.replaceChildren(newOption('', 'Operations…'), ...groups);
}

async function logIn(path: string): Promise<void> {
  problem.textContent = '';
  logInButton.disabled = true;
  try {
    const session = await PageSession.logIn(ports, username.value, password.value);
    const users = await session.users();
    const [first] = users;
    if (!first) throw new Error('This login has no users, so it cannot read any data.');
    if (users.length === 1) showSession(path, session, users, first);
    else showChoice(path, session, users);
  } catch (error) {
    showLogin(error instanceof Error ? error.message : String(error));
  } finally {
    password.value = '';
    logInButton.disabled = false;
  }
}

login.addEventListener('submit', (event) => {
  event.preventDefault();
  if (path !== null) void logIn(path);
});
userSelect.addEventListener('change', () => switchTo(userSelect.value));
operations.addEventListener('change', () => {
  openExample(operations.value);
  // Lets the menu open the same operation again.
  operations.value = '';
});
curl.addEventListener('toggle', () => writeCommand());
byId('copy').addEventListener('click', () => {
  void copyText(command.value).then((isCopied) => {
    copied.textContent = isCopied ? 'Copied.' : 'The browser does not let this page copy: select the text.';
  });
});
void fillMenu();
byId('log-out').addEventListener('click', () => {
  current?.session.end();
  username.value = '';
  showLogin('');
});
if (path === null) {
  logInButton.disabled = true;
  problem.textContent =
    'The path in the address of this page is not a path of this service. Open graphiql?path=/graphql.';
} else {
  username.focus();
}
