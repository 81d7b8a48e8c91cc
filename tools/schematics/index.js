/**
 * What `nest generate` makes here in place of Nest's own: files of the folder `files`, with names filled in, formatted as this
 * project is. A folder of a template may use every name of `names.js`.
 */
import process from 'node:process';
import { strings } from '@angular-devkit/core';
import { apply, applyTemplates, chain, filter, mergeWith, move, url } from '@angular-devkit/schematics';
import { ModuleDeclarator, ModuleFinder } from '@nestjs/schematics';
import { format, resolveConfig } from 'prettier';
import { addFeature } from './features.js';
import { namesOf, singularOf } from './names.js';

/**
 * `nest g feature orders`: a module in one folder, `libs/orders`, with all its layers, and its line in the list of features.
 * It stores things with a name and a status in its own table. A team replaces its code by that of its own module.
 */
export function feature(options) {
  const names = namesOf(options);
  const folder = `libs/${names.plural}`;
  return (tree) => {
    if (tree.exists(`${folder}/src/index.ts`)) throw new Error(`There is a library ${names.plural} already`);
    const migration = `${migrationTime(tree)}_${names.table}`;
    return chain([
      made('feature', folder, { ...names, migration }),
      listed(options, `${names.Plural}Module`, `@animal-store/${names.plural}`),
      formatted,
    ]);
  };
}

/** `nest g resource orders`: a feature at `/v1/orders` that works at once, with data in memory, and its line in the list. */
export function resource(options) {
  const names = namesOf(options);
  const { folder, plural, Plural } = names;
  return chain([
    made('resource', folder, names, options),
    listed(options, `${Plural}Module`, `${folder}/${plural}.module.js`),
    formatted,
  ]);
}

/**
 * `nest g library store`: a library. The alias `@animal-store/store` finds it by its folder, so no tsconfig changes. A name that
 * ends with `-domain` makes a library without Nest, as the dependency rules require.
 */
export function library({ name }) {
  if (!name) throw new Error('A name is missing, as in: nest g library store');
  const folder = strings.dasherize(name);
  const isDomain = folder.endsWith('-domain');
  const one = isDomain ? singularOf(folder.slice(0, -'-domain'.length)) : folder;
  const names = { name: one, Name: strings.classify(one), variable: strings.camelize(one) };
  const root = `libs/${folder}`;
  const registered = (tree) => {
    const settings = tree.readJson('nest-cli.json');
    if (settings.projects[folder] !== undefined) throw new Error(`There is a project ${folder} already`);
    settings.projects[folder] = { type: 'library', root, entryFile: 'index', sourceRoot: `${root}/src` };
    tree.overwrite('nest-cli.json', JSON.stringify(settings, null, 2));
  };
  return chain([registered, made(isDomain ? 'domain-library' : 'library', `${root}/src`, names), formatted]);
}

/** `nest g controller orders`: a controller at `/v1/orders`, in the module next to it. */
export const controller = (options) => declared(options, 'controller', 'controllers');

/** `nest g service orders`: a provider of the module next to it. */
export const service = (options) => declared(options, 'service', 'providers');

/** `nest g module orders`: a module, imported by the module of the folder above, or otherwise by the list of features. */
export const module = (options) => declared({ ...options, spec: false }, 'module', 'imports');

/** `nest g guard owner` and so on: as Nest's, but with types that the linter accepts. */
export const guard = (options) => alone(options, 'guard');
export const pipe = (options) => alone(options, 'pipe');
export const exceptionFilter = (options) => alone(options, 'filter');
export const interceptor = (options) => alone(options, 'interceptor');
export const middleware = (options) => alone(options, 'middleware');

function alone(options, type) {
  return chain([single(options, type), formatted]);
}

function declared(options, type, metadata) {
  const { folder, plural: name, Plural } = namesOf(options);
  const declare = (tree) => {
    const parent = new ModuleFinder(tree).find({ name, path: `/${folder}` });
    if (type === 'module' && parent === `/${options.sourceRoot}/app.module.ts`) {
      addFeature(tree, options, `${Plural}Module`, `${folder}/${name}.module.js`);
    } else if (options.skipImport !== true && parent) {
      const declaration = { name, path: `/${folder}`, metadata, type, module: parent, isEsm: true };
      tree.overwrite(parent, new ModuleDeclarator().declare(tree.readText(parent), declaration));
    }
  };
  return chain([declare, single(options, type), formatted]);
}

function single(options, type) {
  const { folder, plural: name, Plural: Name } = namesOf(options);
  const names = { name, Name, type, Type: strings.classify(type) };
  return chain([made(type, folder, names), ...(options.spec === false ? [] : [made('spec', folder, names)])]);
}

/** The files of a template, in a folder. */
function made(template, folder, names, { spec = true } = {}) {
  const isWanted = (path) => spec || !path.endsWith('.spec.ts.template');
  return mergeWith(apply(url(`./files/${template}`), [filter(isWanted), applyTemplates(names), move(folder)]));
}

function listed(options, name, path) {
  return (tree) => {
    addFeature(tree, options, name, path);
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
