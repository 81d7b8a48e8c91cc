import { strings } from '@angular-devkit/core';
import { apply, applyTemplates, chain, mergeWith, move, url } from '@angular-devkit/schematics';
import { format, resolveConfig } from 'prettier';

/** The list of features in the application's module. */
const LIST = /^(?<start>(?:export )?const FEATURES = \[[^\]]*?),?\s*\];$/m;

/**
 * `nest g feature orders`: a module in one folder, `libs/orders`, with a test, and its line in the list of features. It stores
 * things with a name in its own table. A team replaces its code by that of its own module.
 */
export function feature({ name, sourceRoot }) {
  if (!name) throw new Error('A name is missing, as in: nest g feature orders --project api');
  const plural = strings.dasherize(name);
  const singular = plural.replace(/ies$|(?<=s|x|z|ch|sh)es$|(?<=[^su])s$/, (ending) => (ending === 'ies' ? 'y' : ''));
  const [Plural, Singular] = [strings.classify(plural), strings.classify(singular)];
  const table = strings.underscore(plural);
  const migration = `${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}_${table}`;
  const values = { plural, singular, Plural, Singular, table, migration };
  const files = apply(url('./files'), [applyTemplates(values), move(`libs/${plural}`)]);
  return chain([mergeWith(files), listed(`${sourceRoot}/app.module.ts`, plural, `${Plural}Module`), formatted]);
}

/** Adds the module of this library to the list of features in this file, and its import behind the other ones. */
function listed(file, library, module) {
  return (tree) => {
    const text = tree.readText(file);
    if (!LIST.test(text)) throw new Error(`There is no list of FEATURES in ${file} to add ${module} to`);
    const endOfImports = text.indexOf(';\n', text.lastIndexOf('\nimport ')) + 2;
    const line = `import { ${module} } from '@animal-store/${library}';\n`;
    const list = text.slice(endOfImports).replace(LIST, `$<start>, ${module}];`);
    tree.overwrite(file, text.slice(0, endOfImports) + line + list);
  };
}

/** Formats every file that was made or changed. */
async function formatted(tree) {
  const options = await resolveConfig('package.json');
  for (const { path } of tree.actions)
    tree.overwrite(path, await format(tree.readText(path), { ...options, filepath: path }));
}
