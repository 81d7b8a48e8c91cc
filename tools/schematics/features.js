/** The list of features in the application's module. */
const LIST = /^const FEATURES(?<type>[^=]*)= \[(?<names>[^\]]*)\];$/m;

/**
 * Adds a feature to the list, if the project has an application's module and `--skip-import` is not given.
 *
 * @param path the path of the file of the module, or the alias of its library
 */
export function addFeature(tree, { sourceRoot, skipImport }, name, path) {
  const file = `${sourceRoot}/app.module.ts`;
  if (skipImport === true || !tree.exists(file)) return;
  const text = tree.readText(file);
  const { names, type } = LIST.exec(text)?.groups ?? {};
  if (names === undefined)
    throw new Error(`There is no list of FEATURES in ${file} to add ${name} to: see --skip-import`);
  const all = [...names.split(',').map((known) => known.trim()), name].filter((known) => known !== '');
  const listed = text.replace(LIST, () => `const FEATURES${type}= [${all.join(', ')}];`);
  const endOfImports = listed.indexOf(';\n', listed.lastIndexOf('\nimport ')) + 2;
  const from = path.startsWith('@') ? path : `.${path.slice(sourceRoot.length)}`;
  const line = `import { ${name} } from '${from}';\n`;
  tree.overwrite(file, listed.slice(0, endOfImports) + line + listed.slice(endOfImports));
}
