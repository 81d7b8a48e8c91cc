/** Tests are next to the tested files, or in the folder `test` of a module. */
const TESTS = ['[.-]spec[.]ts$', '^(libs|clients|examples)/[^/]+/test/'];

/**
 * The allowed dependencies between the folders, as patterns: the rules also apply to new libraries and features.
 * test/architecture has a fixture that must break the rules.
 */
export default {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'Two files that need each other are one thing.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'domain-imports-the-kernel-alone',
      comment: 'A domain library imports nothing but the kernel: no framework, no ORM, not even Node.',
      severity: 'error',
      from: { path: '^libs/([^/]+-domain)/', pathNot: TESTS },
      to: { pathNot: ['^libs/$1/', '^libs/kernel/'] },
    },
    {
      name: 'domain-of-a-module-imports-domains-alone',
      comment: 'The same for a module that is one folder; of other domains it knows what their index shows.',
      severity: 'error',
      from: { path: '^((?:libs|examples)/[^/]+)/src/domain/', pathNot: TESTS },
      to: { pathNot: ['^$1/src/domain/', '^libs/kernel/', '^libs/[^/]+-domain/'] },
    },
    {
      name: 'http-of-a-module-knows-no-database',
      comment: 'Controllers reach what is kept through the ports of the domain; the module binds them.',
      severity: 'error',
      from: { path: '^((?:libs|examples)/[^/]+)/src/http/', pathNot: TESTS },
      to: { path: ['^$1/src/persistence/', '^libs/persistence/'] },
    },
    {
      name: 'kernel-imports-nothing',
      comment: 'What several domains share stands on nothing.',
      severity: 'error',
      from: { path: '^libs/kernel/', pathNot: TESTS },
      to: { pathNot: '^libs/kernel/' },
    },
    {
      name: 'http-imports-the-kernel-alone',
      comment: 'libs/http knows Nest, Express and Node, and of the other libraries the kernel.',
      severity: 'error',
      from: { path: '^libs/http/', pathNot: TESTS },
      to: { path: '^libs/', pathNot: ['^libs/http/', '^libs/kernel/'] },
    },
    {
      name: 'no-folder-cycles',
      comment: 'Folders of a library that need each other are one folder.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^(libs|examples)/[^/]+/src/.' },
      to: { circular: true },
    },
    {
      name: 'private-files-for-accelerators-alone',
      comment:
        'Any release of Nest may move a file that it does not offer by its own name. route-metadata.ts imports two that ' +
        '@nestjs/swagger of the same major version imports: the names of the decorators’ metadata. Types are gone at run time.',
      severity: 'error',
      from: { path: '^(apps|libs|examples)/', pathNot: ['/accelerators/', '/route-metadata[.]ts$', ...TESTS] },
      to: {
        path: 'node_modules/@nestjs/(common|core|platform-express)/(?!index[.])',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'private-files-on-demand',
      comment: 'An import that fails must cost an accelerator, and not the start.',
      severity: 'error',
      from: { path: '^(apps|libs|examples)/', pathNot: ['/accelerators/', ...TESTS] },
      to: {
        path: '/accelerators/(route-execution|nest-router)[.]ts$',
        dynamic: false,
      },
    },
    {
      name: 'auth-imports-nest-and-node',
      comment: 'libs/auth knows Nest and Node, and reaches its keys through a port.',
      severity: 'error',
      from: { path: '^libs/auth/', pathNot: TESTS },
      to: {
        pathNot: [
          '^libs/auth/',
          '^(node:)?(crypto|zlib|http)$',
          'node_modules/@nestjs/(common|core|swagger)/',
          '^(node_modules/)?@nestjs/(common|core|swagger)$',
        ],
      },
    },
    {
      name: 'persistence-knows-no-http',
      comment:
        'libs/persistence, and that folder of a module, adapt ports to the database; what a request is they do not know.',
      severity: 'error',
      from: { path: '^(libs/persistence/|(libs|examples)/[^/]+/src/persistence/)', pathNot: TESTS },
      to: {
        path: [
          '^apps/',
          '^libs/http/',
          '^(libs|examples)/[^/]+/src/http/',
          'node_modules/(express|@nestjs/(platform-express|swagger)|class-validator)/',
          '^(node:)?http$',
        ],
      },
    },
    {
      name: 'libraries-know-no-app',
      comment: 'Arrows point from the apps to the libraries.',
      severity: 'error',
      from: { path: '^libs/', pathNot: TESTS },
      to: { path: '^apps/' },
    },
    {
      name: 'test-support-for-tests-alone',
      comment: '@animal-store/testing is for what is no part of the product.',
      severity: 'error',
      from: { path: '^(apps|libs|examples)/', pathNot: TESTS },
      to: { path: '^test/' },
    },
    {
      name: 'examples-know-the-programs-alone',
      comment:
        'A module is the same in examples and in libs: of the app, its programs alone know those that they begin with.',
      severity: 'error',
      from: { path: '^examples/', pathNot: TESTS },
      to: {
        path: '^apps/',
        pathNot: ['^apps/api/src/run-server[.]ts$', '^apps/api/src/cli/run-migrations[.]ts$'],
      },
    },
    {
      name: 'product-knows-no-example',
      comment: 'The image holds none.',
      severity: 'error',
      from: { path: '^(apps|libs)/' },
      to: { path: '^examples/' },
    },
    {
      name: 'one-door-per-library',
      comment: 'Apps enter a library by its index, or by the index of one of its topics.',
      severity: 'error',
      from: { path: '^apps/' },
      to: { path: '^libs/', pathNot: ['^libs/[^/]+/src/index[.]ts$', '^libs/[^/]+/src/[^/]+/index[.]ts$'] },
    },
    {
      name: 'one-door-between-libraries',
      comment: 'So does a library, or a module that is one folder.',
      severity: 'error',
      from: { path: '^(?:libs|examples)/([^/]+)/' },
      to: {
        path: '^libs/',
        pathNot: ['^libs/[^/]+/src/index[.]ts$', '^libs/[^/]+/src/[^/]+/index[.]ts$', '^libs/$1/'],
      },
    },
    {
      name: 'no-own-index',
      comment: 'Inside a library, files import each other and not the door.',
      severity: 'error',
      from: { path: '^((?:libs|examples)/[^/]+)/src/', pathNot: '/main[.]ts$' },
      to: { path: '^$1/src/index[.]ts$' },
    },
    {
      name: 'orm-stays-in-persistence',
      comment: 'MikroORM and the drivers are behind the ports.',
      severity: 'error',
      from: {
        path: '^(apps|libs|examples)/',
        pathNot: ['^libs/persistence/', '^(libs|examples)/[^/]+/src/persistence/', ...TESTS],
      },
      to: { path: 'node_modules/(@mikro-orm|pg|@electric-sql|kysely)/' },
    },
    {
      name: 'features-do-not-know-each-other',
      comment: 'A feature of the app refers to another by id, and never by import.',
      severity: 'error',
      from: { path: '^apps/api/src/([^/]+)/[^/]+[.]module[.]ts$|^apps/api/src/([^/]+)/[^/]+[.]controller[.]ts$' },
      to: { path: '^apps/api/src/[^/]+/[^/]+[.]controller[.]ts$', pathNot: '^apps/api/src/($1|$2)/' },
    },
    {
      name: 'client-stands-alone',
      comment: 'It is a package of its own, for browsers too: it imports nothing, and the product does not import it.',
      severity: 'error',
      from: { path: '^clients/[^/]+/src/', pathNot: TESTS },
      to: { pathNot: '^clients/' },
    },
    {
      name: 'no-dev-dependency-in-the-product',
      comment: 'The image holds no dev dependencies.',
      severity: 'error',
      from: { path: '^(apps|libs|examples)/', pathNot: TESTS },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'not-resolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
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
