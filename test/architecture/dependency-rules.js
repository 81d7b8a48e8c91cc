/** Tests are next to the tested files, or in the folder `test` of a module. */
const TESTS = ['[.-]spec[.]ts$', '^(libs|clients|examples)/[^/]+/test/'];

/** The libraries of the base. Every other one, and every example, is a module of a team. */
const BASE = '^libs/(auth|http|kernel|logging|metrics|persistence|pets-domain)/';

/** The catalogue's operations and the files that wire the service, without the features that a team puts beside them. */
const CATALOGUE = '^apps/api/src/(pets/|[^/]+[.]ts$)';

/** What a module looks like from outside: its index, or the index of one of its topics. */
const DOORS = ['^(libs|examples)/[^/]+/src/index[.]ts$', '^libs/[^/]+/src/[^/]+/index[.]ts$'];

/** Holds for all: a breach harms somebody else. */
const EVERYWHERE = [
  {
    name: 'not-resolvable',
    comment: 'Nothing is where this import leads.',
    from: {},
    to: { couldNotResolve: true },
  },
  {
    name: 'no-dev-dependency-in-the-product',
    comment: 'The image holds no dev dependencies: npm install --save-prod --save-exact what a module imports.',
    from: { path: '^(apps|libs|examples)/', pathNot: TESTS },
    to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'test-support-for-tests-alone',
    comment: '@animal-store/testing is for what is no part of the product.',
    from: { path: '^(apps|libs|examples)/', pathNot: TESTS },
    to: { path: '^test/' },
  },
  {
    name: 'no-private-files',
    comment: 'Any release of Nest may move a file that it does not offer by its own name. Types are gone at run time.',
    from: { path: '^(apps|libs|examples)/', pathNot: TESTS },
    to: {
      path: 'node_modules/@nestjs/(common|core|platform-express)/(?!index[.])',
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: 'client-stands-alone',
    comment: 'It is a package of its own, for browsers too: it imports nothing, and the product does not import it.',
    from: { path: '^clients/[^/]+/src/', pathNot: TESTS },
    to: { pathNot: '^clients/' },
  },
];

/** Hold between modules, the base among them. Inside, a module does as its team likes. */
const BETWEEN_MODULES = [
  {
    name: 'one-door-per-module',
    comment: 'A library or a module is entered by its index: what is not exported there may change with every version.',
    from: { path: '^(?:apps|libs|examples)/([^/]+)/' },
    to: { path: '^(libs|examples)/', pathNot: [...DOORS, '^(libs|examples)/$1/'] },
  },
  {
    name: 'no-circle-between-modules',
    comment: 'Two modules that need each other are one, or a third one holds what both need.',
    from: { path: '^((?:libs|examples)/[^/]+)/' },
    to: { circular: true, pathNot: '^$1/' },
  },
  {
    name: 'base-imports-no-module',
    comment: 'Modules stand on the base. The base learns of them by the list of features alone.',
    from: { path: BASE, pathNot: TESTS },
    to: { path: '^(libs|examples)/', pathNot: BASE },
  },
  {
    name: 'product-knows-no-example',
    comment: 'The image holds none: copy the folder to libs.',
    from: { path: '^(apps|libs)/' },
    to: { path: '^examples/' },
  },
  {
    name: 'modules-know-no-app',
    comment: 'The app imports modules. Of the app, the programs of an example alone know those that they begin with.',
    from: { path: '^(libs|examples)/', pathNot: TESTS },
    to: {
      path: '^apps/',
      pathNot: ['^apps/api/src/main[.]ts$', '^apps/api/src/cli/migrate[.]ts$'],
    },
  },
  {
    name: 'domain-knows-no-framework',
    comment: 'A folder `domain` is plain TypeScript: Nest, Express and HTTP are for controllers, guards and filters.',
    from: { path: ['^(libs|examples)/[^/]+/src/domain/', '^libs/[^/]+-domain/'], pathNot: TESTS },
    to: { path: ['node_modules/(@nestjs/|express/)', '^libs/http/'] },
  },
];

/** The stricter rules of the base and its catalogue. */
const BASE_ALONE = [
  {
    name: 'no-circular',
    comment: 'Two files of the base that need each other are one thing.',
    from: { path: [BASE, CATALOGUE, '^(clients|test|tools)/'] },
    to: { circular: true },
  },
  {
    name: 'no-folder-cycles',
    comment: 'Folders of a library of the base that need each other are one folder.',
    scope: 'folder',
    from: { path: `${BASE}src/.` },
    to: { circular: true },
  },
  {
    name: 'no-own-index',
    comment: 'Inside a library of the base, files import each other and not the door.',
    from: { path: `${BASE}src/` },
    to: { path: '^libs/$1/src/index[.]ts$' },
  },
  {
    name: 'kernel-imports-nothing',
    comment: 'What several domains share depends on nothing.',
    from: { path: '^libs/kernel/', pathNot: TESTS },
    to: { pathNot: '^libs/kernel/' },
  },
  {
    name: 'pets-domain-imports-the-kernel-alone',
    comment: 'The domain of the catalogue imports nothing but the kernel: no framework, no ORM, not even Node.',
    from: { path: '^libs/pets-domain/', pathNot: TESTS },
    to: { pathNot: ['^libs/pets-domain/', '^libs/kernel/'] },
  },
  {
    name: 'http-imports-the-kernel-alone',
    comment: 'libs/http knows Nest, Express and Node, and of the other libraries the kernel.',
    from: { path: '^libs/http/', pathNot: TESTS },
    to: { path: '^libs/', pathNot: ['^libs/http/', '^libs/kernel/'] },
  },
  {
    name: 'auth-imports-nest-and-node',
    comment: 'libs/auth knows Nest and Node, and reaches its keys through a port.',
    from: { path: '^libs/auth/', pathNot: TESTS },
    to: {
      pathNot: [
        '^libs/auth/',
        '^(node:)?(crypto|zlib|http|timers/promises)$',
        'node_modules/@nestjs/(common|core|swagger)/',
        '^(node_modules/)?@nestjs/(common|core|swagger)$',
      ],
    },
  },
  {
    name: 'persistence-knows-no-http',
    comment: 'libs/persistence adapts ports to the database; what a request is it does not know.',
    from: { path: '^libs/persistence/', pathNot: TESTS },
    to: {
      path: [
        '^libs/http/',
        'node_modules/(express|@nestjs/(platform-express|swagger)|class-validator)/',
        '^(node:)?http$',
      ],
    },
  },
  {
    name: 'orm-stays-in-persistence',
    comment: 'In the base and its catalogue, MikroORM and the drivers are behind the ports.',
    from: { path: [BASE, CATALOGUE], pathNot: ['^libs/persistence/', ...TESTS] },
    to: { path: 'node_modules/(@mikro-orm|pg|@electric-sql|kysely)/' },
  },
];

/**
 * The allowed dependencies between the folders, as patterns: new libraries and features have the rules of a module. The fixture
 * must break each rule, and holds a module of a team that breaks none.
 */
export default {
  forbidden: [...EVERYWHERE, ...BETWEEN_MODULES, ...BASE_ALONE].map((rule) => ({ ...rule, severity: 'error' })),
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^test/architecture/fixture/', '^test/[a-z-]+/node_modules/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.d.ts', '.json'],
    },
  },
};
