import process from 'node:process';
import { format, resolveConfig } from 'prettier';

/** The names of files, classes and routes for a name such as `store/orderLines`. */
export function namesOf({ name, path = '', sourceRoot = '', flat = false }) {
  if (!name) throw new Error('A name is missing, as in: nest g resource orders --project api');
  const folders = [sourceRoot, path, ...name.split('/').slice(0, -1)].filter((folder) => folder !== '');
  const plural = kebab(name.split('/').at(-1));
  return {
    plural,
    singular: singularOf(plural),
    /** The folder of its files. */
    folder: [...folders, ...(flat ? [] : [plural])].join('/').replace(/^\//, ''),
  };
}

export function kebab(text) {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .toLowerCase();
}

/** `order-lines` as the name of a class: `OrderLines`. */
export function pascal(text) {
  return text.replace(/(?:^|-)([a-z0-9])/g, (_whole, letter) => letter.toUpperCase());
}

/** `order-lines` as the name of a variable: `orderLines`. */
export function camel(text) {
  const name = pascal(text);
  return name[0].toLowerCase() + name.slice(1);
}

function singularOf(plural) {
  if (plural.endsWith('ies')) return `${plural.slice(0, -3)}y`;
  if (/(?:s|x|z|ch|sh)es$/.test(plural)) return plural.slice(0, -2);
  return /[^su]s$/.test(plural) ? plural.slice(0, -1) : plural;
}

/** Formats files and writes them into the tree, by path. */
export async function write(tree, files) {
  for (const [path, content] of Object.entries(files)) {
    const options = await resolveConfig(`${process.cwd()}/${path}`);
    const text = await format(content, { ...options, filepath: path });
    if (tree.exists(path)) tree.overwrite(path, text);
    else tree.create(path, text);
  }
}
