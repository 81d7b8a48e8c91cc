import { camel, kebab, pascal, write } from './names.js';

/**
 * `nest g library store`: a library. The alias `@animal-store/store` finds it by its folder, so no tsconfig changes. A name that
 * ends with `-domain` makes a library without Nest, as the dependency rules require.
 */
export function library({ name }) {
  if (!name) throw new Error('A name is missing, as in: nest g library store');
  const folder = kebab(name);
  return (tree) => {
    const root = `libs/${folder}`;
    const files = folder.endsWith('-domain') ? domainFiles : nestFiles;
    return write(tree, { 'nest-cli.json': settingsWith(tree, folder, root), ...files(`${root}/src`, folder) });
  };
}

function settingsWith(tree, name, root) {
  const settings = JSON.parse(tree.read('nest-cli.json').toString());
  if (settings.projects[name] !== undefined) throw new Error(`There is a project ${name} already`);
  settings.projects[name] = { type: 'library', root, entryFile: 'index', sourceRoot: `${root}/src` };
  return JSON.stringify(settings, null, 2);
}

function nestFiles(folder, name) {
  const Name = pascal(name);
  return {
    [`${folder}/index.ts`]: `
export { ${Name}Module } from './${name}.module.js';
export { ${Name}Service } from './${name}.service.js';
`,
    [`${folder}/${name}.module.ts`]: `
import { Module } from '@nestjs/common';
import { ${Name}Service } from './${name}.service.js';

@Module({ providers: [${Name}Service], exports: [${Name}Service] })
export class ${Name}Module {}
`,
    [`${folder}/${name}.service.ts`]: `
import { Injectable } from '@nestjs/common';

@Injectable()
export class ${Name}Service {}
`,
    [`${folder}/${name}.service.spec.ts`]: `
import { ${Name}Service } from './${name}.service.js';

describe('${Name}Service', () => {
  test('can be made', () => {
    expect(new ${Name}Service()).toBeInstanceOf(${Name}Service);
  });
});
`,
  };
}

function domainFiles(folder, name) {
  const thing = name.slice(0, -'-domain'.length).replace(/([^s])s$/, '$1');
  const Name = pascal(thing);
  return {
    [`${folder}/index.ts`]: `
export { ${Name} } from './${thing}.js';
`,
    [`${folder}/${thing}.ts`]: `
/** Plain TypeScript with a validating constructor; errors carry \`kind\` and \`code\`. */
export class ${Name} {
  constructor(readonly id: bigint) {}
}
`,
    [`${folder}/${thing}.spec.ts`]: `
import { ${Name} } from './${thing}.js';

describe('${Name}', () => {
  test('keeps its id', () => {
    const ${camel(thing)} = new ${Name}(1n);
    expect(${camel(thing)}.id).toBe(1n);
  });
});
`,
  };
}
