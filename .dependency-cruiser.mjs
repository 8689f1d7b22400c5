/**
 * Who may import whom (docs/architecture.md). `may(from, ...to)` forbids every import inside the project that the table
 * does not allow; tests/imports.test.ts plants faults that must turn this red and fails when no module was read.
 */
const src = (name) => `^src/${name}/`
/** @param {string} from folder under src @param {string[]} to folders under src it may import besides itself */
const may = (from, ...to) => ({
  name: `${from}-may-import-only`,
  severity: 'error',
  from: { path: src(from) },
  to: { path: '^(src|server|tests|tools)/', pathNot: [from, ...to].map(src) },
})
const noPackage = (from, ...allowed) => ({
  name: `${from}-packages`,
  severity: 'error',
  from: { path: src(from) },
  to: {
    dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-no-pkg', 'npm-unknown', 'core'],
    pathNot: allowed.map((p) => `node_modules/${p}/`),
  },
})
const FEATURE_BASE = [
  'device',
  'contract',
  'domain',
  'session',
  'api',
  'offline',
  'search',
  'ui',
  'player',
  'sitting',
  'sale',
  'upload',
  'install',
]

export default {
  forbidden: [
    may('contract'),
    may('domain', 'contract'),
    noPackage('contract', 'valibot'),
    noPackage('domain', 'valibot', 'ts-fsrs'),
    may('device'),
    may('session', 'device', 'contract', 'domain'),
    may('api', 'contract', 'domain', 'session'),
    may('offline', 'device', 'contract', 'domain', 'session', 'api'),
    may('search', 'contract', 'domain', 'offline'),
    may('ui', 'device', 'domain'),
    may('player', 'device', 'contract', 'domain', 'session', 'offline', 'ui'),
    may('sitting', 'device', 'contract', 'domain', 'session', 'api', 'offline', 'ui', 'player'),
    may('sale', 'contract', 'domain', 'session', 'api', 'offline', 'ui'),
    may('upload', 'contract', 'domain', 'session', 'api', 'ui'),
    may('install', 'device', 'session', 'offline', 'ui'),
    may('features', ...FEATURE_BASE),
    may('routes', 'device', 'features', 'player', 'sitting', 'session', 'ui', 'contract', 'domain', 'app'),
    {
      name: 'api-never-shows',
      comment: 'api throws, it never shows',
      severity: 'error',
      from: { path: src('api') },
      to: { path: 'node_modules/(react|react-dom|@mantine|@tanstack/react-router)/' },
    },
    {
      name: 'offline-without-react',
      comment: 'the engine knows React only in use*.ts',
      severity: 'error',
      from: { path: src('offline'), pathNot: '^src/offline/use[A-Z][^/]*\\.tsx?$' },
      to: { path: 'node_modules/(react|react-dom|@mantine)/' },
    },
    {
      name: 'sitting-engine-without-react',
      severity: 'error',
      from: { path: src('sitting/engine') },
      to: { path: 'node_modules/(react|react-dom|@mantine|@tabler)/|^src/(ui|sitting/[^/]+\\.tsx?$)' },
    },
    {
      name: 'sw-may-import-only',
      severity: 'error',
      from: { path: src('sw') },
      to: {
        path: '^(src|server|tests|tools)/',
        pathNot: [
          '^src/(sw|contract|domain)/',
          '^src/api/',
          '^src/offline/(device/(logouts|rows|idb|names|steadyClock|workerWrites)|sync/outbox)\\.ts$',
          '^src/session/mirror\\.ts$',
        ],
      },
    },
    {
      name: 'one-way-to-a-new-page',
      comment: 'a page is left from its own entry in the history (src/ui/dialog/newPage.ts)',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(ui/dialog/newPage|device/)' },
      to: { path: '^src/device/reload' },
    },
    {
      name: 'sw-reaches-no-ui',
      severity: 'error',
      from: { path: src('sw') },
      to: { path: 'node_modules/(react|react-dom|@mantine|@tanstack)/', reachable: true },
    },
    {
      name: 'search-reaches-no-ui',
      severity: 'error',
      from: { path: src('search') },
      to: { path: 'node_modules/(react|react-dom|@mantine|@tanstack)/', reachable: true },
    },
    {
      name: 'features-apart',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/' },
      to: { path: '^src/features/', pathNot: '^src/features/$1/' },
    },
    {
      name: 'server-takes-only-the-bottom',
      severity: 'error',
      from: { path: '^server/' },
      to: { path: '^(src|tests)/', pathNot: '^src/(contract|domain)/' },
    },
    {
      name: 'server-domains-meet-in-stores',
      severity: 'error',
      from: { path: '^server/([^/]+)/', pathNot: '^server/(http|db|outside|jobs|bin|demo)/' },
      to: { path: '^server/[^/]+/', pathNot: '^server/($1|http|db|outside|jobs|content)/|^server/[^/]+/store\\.ts$' },
    },
    {
      name: 'jobs-know-no-domain',
      comment: 'a kind of work belongs to its domain, and the start gives it to the runner',
      severity: 'error',
      from: { path: '^server/jobs/' },
      to: { path: '^(src|server)/', pathNot: '^server/(jobs|db)/' },
    },
    {
      name: 'server-folders-run-one-way',
      comment: 'no folder of the server leads back to itself, types counted',
      severity: 'error',
      scope: 'folder',
      from: { path: '^server' },
      to: { circular: true },
    },
    {
      name: 'nothing-needs-the-demo',
      comment: 'the demo may import anything, and only the start and the commands import it',
      severity: 'error',
      from: { path: '^(src|server)/', pathNot: '^server/(demo|bin|main\\.ts)' },
      to: { path: '^server/demo/' },
    },
    { name: 'no-cycle', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-drawer',
      severity: 'error',
      from: {},
      to: { path: '^(src|server)/.*(utils|helpers|lib|hooks|types|constants|services)/' },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(routeTree\\.gen\\.ts|^dist/)' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'browser', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
    },
  },
}
