// The site: README as its first page, docs/ and other documents of the project, and TypeDoc's
// reference/. Links are written for GitHub; this file adapts them.
import { cpSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DefaultTheme, defineConfig, type MarkdownRenderer } from 'vitepress';

const project = fileURLToPath(new URL('../..', import.meta.url));
// The base path: `/`, or `/name-of-the-repository/` on GitHub Pages.
const base = process.env.SITE_BASE ?? '/';

/** The sidebar. Pages of docs/ that are not listed here come last. */
const groups: Readonly<Record<string, readonly string[]>> = {
  Begin: ['README', 'docs/tasks', 'docs/sdk', 'docs/from-graphql-request', 'docs/troubleshooting', 'docs/errors'],
  SDK: [
    'docs/methods',
    'docs/telemetry',
    'docs/distributed',
    'docs/limits',
    'docs/recipes',
    'docs/serverless',
    'docs/reference-service',
    'examples/README',
  ],
  'Command line': ['docs/cli', 'docs/tables', 'docs/unattended', 'docs/alerts', 'docs/mcp', 'docs/map', 'docs/sync'],
  Packages: ['packages/sync/README', 'packages/map/README', 'packages/mcp/README'],
  Background: [
    'docs/schema',
    'docs/versioning',
    'docs/dependencies',
    'docs/security',
    'SECURITY',
    'bench/README',
    'bench/RESULTS',
  ],
  Project: ['CHANGELOG', 'CONTRIBUTING', 'ARCHITECTURE', 'docs/internals'],
};
const entries = [
  ...['', '/mock', '/mock/msw', '/redis', '/otel', '/schema', '/tracks'].map((entry) => `fleet-telematics${entry}`),
  ...['', '/target'].map((entry) => `fleet-telematics-sync${entry}`),
];

const copied = new Set<string>();

export default defineConfig({
  title: 'fleet-telematics',
  description: 'Typed SDK, command line and reference service for the fleet telematics GraphQL service',
  lang: 'en',
  base,
  srcDir: '..',
  srcExclude: [
    '.*/**',
    'api/**',
    'codegen/**',
    'dist*/**',
    'operations/**',
    'packages/*/{dist*,src,test}/**',
    'scripts/**',
    'site/**',
    'src/**',
    'test/**',
  ],
  outDir: 'dist',
  rewrites: {
    'README.md': 'index.md',
    ':folder/README.md': ':folder/index.md',
    'packages/:name/README.md': 'packages/:name/index.md',
  },
  // The theme's own colours of code and of its language have too little contrast.
  head: [['style', {}, ':root:root { --vp-code-lang-color: var(--vp-c-text-2) }']],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: anchorOnGitHub },
    config(markdown) {
      markdown.core.ruler.push('project-links', ({ tokens, env }) => linksOfPage(tokens, dirname(String(env.path))));
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Guide', link: '/docs/sdk' },
      { text: 'Methods', link: '/docs/methods' },
      { text: 'Command line', link: '/docs/cli' },
      { text: 'Reference', link: '/reference/' },
    ],
    sidebar: [
      ...sidebar(),
      {
        text: 'API reference',
        items: entries.map((entry) => ({ text: entry, link: `/reference/${entry}/` })),
      },
    ],
  },
  vite: {
    plugins: [
      {
        // The pages lie outside this folder, so Vue would not be found from there.
        name: 'vue-of-the-site',
        enforce: 'pre',
        resolveId: (id, _importer, { ssr }) =>
          ssr && /^vue(?:\/server-renderer)?$/.test(id) ? { id, external: true } : null,
      },
    ],
  },
  buildEnd({ outDir }) {
    for (const file of copied) cpSync(join(project, file), join(outDir, file));
  },
});

function sidebar(): DefaultTheme.SidebarItem[] {
  const named = Object.values(groups).flat();
  const others = readdirSync(join(project, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.slice(0, -3)}`)
    .filter((page) => !named.includes(page));
  return Object.entries({ ...groups, ...(others.length > 0 ? { Other: others } : {}) }).map(([text, pages]) => ({
    text,
    items: pages
      .filter((page) => existsSync(join(project, `${page}.md`)))
      .map((page) => ({ text: titleOf(page), link: `/${page.replace(/README$/, '')}` })),
  }));
}

function titleOf(page: string): string {
  const [, title = page] = /^# (.+)$/m.exec(readFileSync(join(project, `${page}.md`), 'utf8')) ?? [];
  return title.replaceAll('`', '');
}

function anchorOnGitHub(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}

type Token = ReturnType<MarkdownRenderer['parse']>[number];

/** Links a README to its folder's page, and copies linked files that are no pages. */
function linksOfPage(tokens: readonly Token[], folder: string): void {
  for (const token of tokens) {
    if (token.children) linksOfPage(token.children, folder);
    const href = token.attrGet('href');
    if (token.type !== 'link_open' || href === null || /^(?:[a-z]+:|#|\/)/i.test(href)) continue;
    const [path = '', anchor] = href.split('#');
    const target = resolve(folder, path);
    if (/(?:^|\/)README\.md$/.test(path)) {
      token.attrSet('href', href.replace(/README\.md/, 'index.md'));
    } else if (existsSync(join(target, 'README.md'))) {
      token.attrSet('href', `${path.replace(/\/?$/, '/')}index.md${anchor ? `#${anchor}` : ''}`);
    } else if (!path.endsWith('.md') && existsSync(target) && statSync(target).isFile()) {
      const file = relative(project, target).replaceAll('\\', '/');
      copied.add(file);
      token.attrSet('href', `${base}${file}`);
      token.attrSet('target', '_blank');
    }
  }
}
