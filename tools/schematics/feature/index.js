import { withFeature } from '../features.js';
import { camel, namesOf, pascal, write } from '../names.js';
import { domainFiles } from './domain.js';
import { httpFiles } from './http.js';
import { persistenceFiles } from './persistence.js';
import { testFiles } from './tests.js';

/**
 * `nest g feature orders`: a module in one folder, `libs/orders`, with all its layers, and its line in the list of features.
 * It stores things with a name and a status in its own table. A team replaces its code by that of its own module.
 */
export function feature(options) {
  const { plural, singular } = namesOf(options);
  const folder = `libs/${plural}`;
  const names = {
    plural,
    singular,
    Plural: pascal(plural),
    Singular: pascal(singular),
    items: camel(plural),
    item: camel(singular),
    CONSTANT: singular.replaceAll('-', '_').toUpperCase(),
    CONSTANTS: plural.replaceAll('-', '_').toUpperCase(),
    table: plural.replaceAll('-', '_'),
    code: singular.replaceAll('-', '_'),
    words: singular.replaceAll('-', ' '),
    manyWords: plural.replaceAll('-', ' '),
  };
  return (tree) => {
    if (tree.exists(`${folder}/src/index.ts`)) throw new Error(`There is a library ${plural} already`);
    const files = {
      ...moduleFiles(names),
      ...domainFiles(names),
      ...persistenceFiles(names, migrationTime(tree)),
      ...httpFiles(names),
      ...testFiles(names),
    };
    return write(tree, {
      ...Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text])),
      ...withFeature(tree, options, `${names.Plural}Module`, `@animal-store/${plural}`),
    });
  };
}

function moduleFiles({ plural, singular, Plural, Singular, items, code, words }) {
  return {
    'src/index.ts': `
export { ${Plural}Module } from './${plural}.module.js';
`,
    [`src/${plural}.module.ts`]: `
import { Module } from '@nestjs/common';
import { HttpModule } from '@animal-store/http';
import { UnitOfWork } from '@animal-store/kernel';
import { ${Singular}ReadModel } from './domain/${singular}.read-model.js';
import { ${Singular}Repository } from './domain/${singular}.repository.js';
import { ${Plural}Service } from './domain/${plural}.service.js';
import { ${Plural}Controller } from './http/${plural}.controller.js';
import { ${Plural}PersistenceModule } from './persistence/${plural}-persistence.module.js';

@Module({
  imports: [
    ${Plural}PersistenceModule,
    HttpModule.forFeature({
      errorCodes: [{ code: '${code}_closed', kind: 'conflict', meaning: 'The ${words} is closed, and stays so.' }],
    }),
  ],
  controllers: [${Plural}Controller],
  providers: [
    {
      provide: ${Plural}Service,
      useFactory: (${items}: ${Singular}Repository, readModel: ${Singular}ReadModel, unitOfWork: UnitOfWork) =>
        new ${Plural}Service(${items}, readModel, unitOfWork),
      inject: [${Singular}Repository, ${Singular}ReadModel, UnitOfWork],
    },
  ],
})
export class ${Plural}Module {}
`,
  };
}

/** Now, or a second after the newest migration, because migrations run in the order of their names. */
function migrationTime(tree) {
  const times = [];
  tree.getDir('libs').visit((path) => {
    const time = /\/migrations\/(?<time>[0-9]{14})_[^/]*\.ts$/.exec(path)?.groups.time;
    if (time !== undefined) times.push(time);
  });
  const now = new Date();
  const newest = times.sort().at(-1);
  return textOf(newest === undefined || textOf(now) > newest ? now : new Date(dateOf(newest).getTime() + 1_000));
}

function textOf(date) {
  return date.toISOString().replace(/[-:T]/g, '').slice(0, 14);
}

function dateOf(text) {
  return new Date(text.replace(/(....)(..)(..)(..)(..)(..)/, '$1-$2-$3T$4:$5:$6Z'));
}
