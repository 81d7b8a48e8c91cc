import { strings } from '@angular-devkit/core';

/** The folder and the names of files, classes, variables and tables for options such as `name: 'store/orderLines'`. */
export function namesOf({ name, path = '', sourceRoot = '', flat = false }) {
  if (!name) throw new Error('A name is missing, as in: nest g resource orders --project api');
  const plural = strings.dasherize(name.split('/').at(-1));
  const singular = singularOf(plural);
  const folders = [sourceRoot, path, ...name.split('/').slice(0, -1), ...(flat ? [] : [plural])];
  return {
    folder: folders
      .filter((folder) => folder !== '')
      .join('/')
      .replace(/^\//, ''),
    plural,
    singular,
    Plural: strings.classify(plural),
    Singular: strings.classify(singular),
    items: strings.camelize(plural),
    item: strings.camelize(singular),
    CONSTANT: strings.underscore(singular).toUpperCase(),
    CONSTANTS: strings.underscore(plural).toUpperCase(),
    table: strings.underscore(plural),
    code: strings.underscore(singular),
    words: singular.replaceAll('-', ' '),
    manyWords: plural.replaceAll('-', ' '),
  };
}

export function singularOf(plural) {
  if (plural.endsWith('ies')) return `${plural.slice(0, -3)}y`;
  if (/(?:s|x|z|ch|sh)es$/.test(plural)) return plural.slice(0, -2);
  return /[^su]s$/.test(plural) ? plural.slice(0, -1) : plural;
}
