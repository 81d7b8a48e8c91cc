import process from 'node:process';
import { strings } from '@angular-devkit/core';
import { apply, applyTemplates, chain, mergeWith, move, url } from '@angular-devkit/schematics';
import { format, resolveConfig } from 'prettier';

/** The list of features in the application's module. */
const LIST = /^const FEATURES(?<type>[^=]*)= \[(?<names>[^\]]*)\];$/m;

/**
 * `nest g feature orders`: a module in one folder, `libs/orders`, with a test, and its line in the list of features. It stores
 * things with a name in its own table. A team replaces its code by that of its own module.
 */
export function feature({ name, sourceRoot }) {
  if (!name) throw new Error('A name is missing, as in: nest g feature orders --project api');
  const names = namesOf(name);
  const folder = `libs/${names.plural}`;
  return (tree) => {
    if (tree.exists(`${folder}/src/index.ts`)) throw new Error(`There is a library ${names.plural} already`);
    const migration = `${migrationTime(tree)}_${names.table}`;
    const files = apply(url('./files'), [applyTemplates({ ...names, migration }), move(folder)]);
    return chain([mergeWith(files), listed(`${sourceRoot}/app.module.ts`, names), formatted]);
  };
}

/** What the files of the template call it, by the name of the variable there. */
function namesOf(name) {
  const plural = strings.dasherize(name);
  const singular = singularOf(plural);
  return {
    plural,
    singular,
    Plural: strings.classify(plural),
    Singular: strings.classify(singular),
    items: strings.camelize(plural),
    item: strings.camelize(singular),
    table: strings.underscore(plural),
    words: singular.replaceAll('-', ' '),
    manyWords: plural.replaceAll('-', ' '),
  };
}

function singularOf(plural) {
  if (plural.endsWith('ies')) return `${plural.slice(0, -3)}y`;
  if (/(?:s|x|z|ch|sh)es$/.test(plural)) return plural.slice(0, -2);
  return /[^su]s$/.test(plural) ? plural.slice(0, -1) : plural;
}

/** Adds the module to the list of features in this file, and its import behind the other ones. */
function listed(file, { plural, Plural }) {
  return (tree) => {
    const text = tree.readText(file);
    const { names, type } = LIST.exec(text)?.groups ?? {};
    if (names === undefined) throw new Error(`There is no list of FEATURES in ${file} to add ${Plural}Module to`);
    const all = [...names.split(',').map((known) => known.trim()), `${Plural}Module`].filter((known) => known !== '');
    const list = text.replace(LIST, () => `const FEATURES${type}= [${all.join(', ')}];`);
    const endOfImports = list.indexOf(';\n', list.lastIndexOf('\nimport ')) + 2;
    const line = `import { ${Plural}Module } from '@animal-store/${plural}';\n`;
    tree.overwrite(file, list.slice(0, endOfImports) + line + list.slice(endOfImports));
  };
}

/** Formats every file that was made or changed. */
async function formatted(tree) {
  for (const { path } of tree.actions) {
    const options = await resolveConfig(`${process.cwd()}${path}`);
    tree.overwrite(path, await format(tree.readText(path), { ...options, filepath: path }));
  }
}

/** Now, or a second after the newest migration, because migrations run in the order of their names. */
function migrationTime(tree) {
  const times = [textOf(new Date())];
  tree.getDir('libs').visit((path) => {
    const time = /\/migrations\/(?<time>[0-9]{14})_[^/]*\.ts$/.exec(path)?.groups.time;
    if (time !== undefined) times.push(textOf(new Date(dateOf(time).getTime() + 1_000)));
  });
  return times.sort().at(-1);
}

function textOf(date) {
  return date.toISOString().replace(/[-:T]/g, '').slice(0, 14);
}

function dateOf(text) {
  return new Date(text.replace(/(....)(..)(..)(..)(..)(..)/, '$1-$2-$3T$4:$5:$6Z'));
}
