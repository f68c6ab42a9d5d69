// The three screens of the page: log in, choose a user if the login has several, GraphiQL.
import { byId, newButton, newOption, parameters, showGraphiQL } from './dom.js';
import { endpointPath } from './endpoint-path.js';
import { createFetcher, oneAtATime } from './fetcher.js';
import { type BrowserPorts, Session, type User } from './session.js';

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

/** The session on the screen, and the function that removes it. */
let current: { readonly session: Session; readonly remove: () => void } | null = null;
let switchTo = (_userId: string): void => {};

function leave(): void {
  current?.remove();
  current = null;
}

/** Shows the login screen: at the start, and whenever a session ends. */
function showLogin(message: string): void {
  leave();
  graphiql.hidden = true;
  sessionBar.hidden = true;
  choice.hidden = true;
  login.hidden = false;
  problem.textContent = message;
  (username.value === '' ? username : password).focus();
}

function showChoice(path: string, session: Session, users: readonly User[]): void {
  login.hidden = true;
  choice.hidden = false;
  sessionBar.hidden = false;
  userName.hidden = true;
  userSwitch.hidden = true;
  const buttons = users.map((user) => newButton(user.label, () => showSession(path, session, users, user)));
  choices.replaceChildren(...buttons);
  buttons[0]?.focus();
}

function showSession(path: string, session: Session, users: readonly User[], user: User): void {
  // Every user gets a new GraphiQL, so that the answers on the screen belong to the user named above them.
  leave();
  login.hidden = true;
  choice.hidden = true;
  sessionBar.hidden = false;
  graphiql.hidden = false;
  userName.textContent = user.label;
  userName.hidden = users.length > 1;
  userSwitch.hidden = users.length === 1;
  userSelect.replaceChildren(...users.map(({ userId, label }) => newOption(userId, label)));
  userSelect.value = user.userId;
  switchTo = (userId) => {
    const next = users.find((candidate) => candidate.userId === userId);
    if (next) showSession(path, session, users, next);
  };
  const fetcher = createFetcher({
    session,
    userId: user.userId,
    path,
    inTurn,
    onSessionEnded(reason) {
      // A failed request of an earlier session does not end the session on the screen.
      if (current?.session === session) showLogin(reason.message);
    },
  });
  current = { session, remove: showGraphiQL(graphiql, fetcher, welcomeQuery) };
}

async function logIn(path: string): Promise<void> {
  problem.textContent = '';
  logInButton.disabled = true;
  try {
    const session = await Session.logIn(ports, username.value, password.value);
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
