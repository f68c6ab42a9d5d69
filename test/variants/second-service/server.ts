// A service of the contract that shares no code with the reference service: another library runs GraphQL, another one reads forms,
// tokens are JWTs, refresh tokens rotate, and errors have another form.
import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { execute } from '@graphql-tools/executor';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { createRecords, fleetId, type Row, type UserEntry } from './records.js';
import { canBusType, typeDefs } from './schema.js';

// vitest would load another copy of graphql than the one that the tools load, and copies refuse each other's schemas.
const { GraphQLError, GraphQLScalarType, parse, validate } = createRequire(import.meta.url)(
  'graphql',
) as typeof import('graphql');

export interface SecondService {
  readonly url: string;
  readonly clock: { now(): number };
  advance(ms: number): void;
  close(): Promise<void>;
}

const key = randomUUID();

function jwt(claims: object): string {
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded(claims)}`;
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}

/** When the token expires, in seconds; null for a token of somebody else. */
function expiryOf(token: string): number | null {
  const [header = '', claims = '', signature] = token.split('.');
  const expected = createHmac('sha256', key).update(`${header}.${claims}`).digest('base64url');
  return signature === expected ? JSON.parse(Buffer.from(claims, 'base64url').toString()).exp : null;
}

function fieldsOf(request: IncomingMessage): Promise<Map<string, string>> {
  return new Promise((resolve, reject) => {
    const fields = new Map<string, string>();
    // It throws without a Content-Type header of a form.
    const form = new Busboy({ headers: request.headers as BusboyHeaders });
    form.on('field', (name, value) => fields.set(name, value));
    form.on('finish', () => resolve(fields));
    form.on('error', reject);
    request.pipe(form);
  });
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

const scalars = {
  UUID: new GraphQLScalarType({ name: 'UUID', parseValue: (value) => String(value) }),
  Long: new GraphQLScalarType({ name: 'Long' }),
  DateTime: new GraphQLScalarType({
    name: 'DateTime',
    parseValue(value) {
      if (typeof value === 'string' && !Number.isNaN(Date.parse(value))) return value;
      throw new GraphQLError('not a time');
    },
  }),
  Tree: new GraphQLScalarType({ name: 'Tree' }),
};

export async function startSecondService(start: number): Promise<SecondService> {
  let now = start;
  const clock = { now: () => now };
  const user: UserEntry = { userName: 'demo', userId: randomUUID(), fleetName: 'Second Fleet' };
  const { query, mutation } = createRecords(clock.now, user);
  const resolvers = (table: Readonly<Record<string, (args: Row) => unknown>>) =>
    Object.fromEntries(Object.entries(table).map(([name, run]) => [name, (_: unknown, args: Row) => run(args)]));
  const schema = makeExecutableSchema({
    typeDefs: typeDefs.replace('CANBUS', canBusType),
    resolvers: { Query: resolvers(query), Mutation: resolvers(mutation), ...scalars },
  });
  const refreshTokens = new Map<string, number>();
  let isActive = false;

  const send = (
    response: ServerResponse,
    status: number,
    body: unknown,
    headers: Record<string, string> = {},
  ): void => {
    response.writeHead(status, { 'Content-Type': 'application/json', Date: new Date(now).toUTCString(), ...headers });
    response.end(JSON.stringify(body));
  };
  const tokens = (): object => {
    const refreshToken = randomUUID();
    refreshTokens.set(refreshToken, now + 12 * 3_600_000);
    const exp = Math.floor(now / 1000) + 300;
    return {
      access_token: jwt({ sub: user.userId, exp, jti: randomUUID() }),
      refresh_token: refreshToken,
      scope: 'all',
    };
  };
  const isLoggedIn = (request: IncomingMessage): boolean => {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    const expiry = token === undefined ? null : expiryOf(token);
    return expiry !== null && now < expiry * 1000;
  };
  const refuse = (response: ServerResponse): void =>
    send(response, 401, { message: 'Full authentication is required' });

  async function answerGraphql(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isLoggedIn(request)) return refuse(response);
    const { userid, fleetid } = request.headers;
    if (userid !== user.userId && fleetid !== fleetId) return send(response, 403, { message: 'Access is denied' });
    if (isActive) return send(response, 429, { message: 'Too Many Requests' });
    isActive = true;
    response.once('close', () => {
      isActive = false;
    });
    const body = JSON.parse(await textOf(request)) as { query: string; variables?: Row; operationName?: string };
    let document: ReturnType<typeof parse>;
    try {
      document = parse(body.query);
    } catch (error) {
      return send(response, 400, { errors: [{ message: String(error) }] });
    }
    const errors = validate(schema, document);
    if (errors.length > 0) return send(response, 400, { errors: errors.map(({ message }) => ({ message })) });
    const { operationName } = body;
    const result = await execute({
      schema,
      document,
      variableValues: body.variables ?? {},
      ...(operationName == null ? {} : { operationName }),
    });
    send(response, 200, result);
  }

  const server = createServer(async (request, response) => {
    const path = (request.url ?? '').split('?', 1).join('');
    const route = `${request.method} ${path}`;
    try {
      if (route === 'POST /fleet/graphql') return await answerGraphql(request, response);
      if (route === 'GET /fleet/login/userinfo') {
        return isLoggedIn(request) ? send(response, 200, [user]) : refuse(response);
      }
      if (route === 'POST /fleet/login/token') {
        const fields = await fieldsOf(request);
        const isRight = fields.get('username') === 'demo' && fields.get('password') === 'demo';
        return isRight ? send(response, 200, tokens()) : send(response, 400, { message: 'Bad credentials' });
      }
      if (route === 'POST /fleet/login/refresh') {
        const spent = (await fieldsOf(request)).get('refreshToken') ?? '';
        const isValid = now < (refreshTokens.get(spent) ?? 0);
        refreshTokens.delete(spent);
        return isValid ? send(response, 200, tokens()) : refuse(response);
      }
      send(response, 404, { message: 'Not Found' });
    } catch (error) {
      send(response, 500, { message: String(error) });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no address');
  return {
    url: `http://127.0.0.1:${address.port}/fleet`,
    clock,
    advance(ms) {
      now += ms;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
