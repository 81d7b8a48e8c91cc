import { idOf } from './mermaid.ts';

/** The part of dependency-cruiser's report on a file that is used here. */
export interface CruisedFile {
  readonly source: string;
  readonly dependencies: readonly { readonly resolved: string }[];
}

/** The number of folders from which a library has its own picture. */
const MIN_FOLDERS = 4;

const TEST_FILE = /[.-]spec[.]ts$|^(?:apps|libs)\/[^/]+\/test\//;

/** The app or library of a file, such as `libs/http`. */
const PART = /^(?:apps|libs)\/[^/]+/;

type Arrows = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * The dependencies between apps and libraries, and between the folders of large libraries, as Mermaid in Markdown.
 *
 * @param files of `apps` and `libs`, among others
 */
export function dependencyPictures(files: readonly CruisedFile[]): string {
  const imports = files
    .filter(({ source }) => PART.test(source) && !TEST_FILE.test(source))
    .flatMap(({ source, dependencies }) => dependencies.map(({ resolved }): [string, string] => [source, resolved]))
    .filter(([, to]) => PART.test(to));
  const overview = arrowsBetween(imports, (file) => PART.exec(file)?.[0]);
  const libraries = [...overview.keys()].filter((part) => part.startsWith('libs/')).sort();
  const pictures = libraries.flatMap((library) => {
    const arrows = withoutDetours(arrowsBetween(imports, (file) => folderIn(library, file)));
    return namesIn(arrows).length < MIN_FOLDERS ? [] : [`Folders of \`${library}/src\`:`, flowchart(arrows)];
  });
  return ['Apps and libraries:', flowchart(overview), ...pictures].join('\n\n');
}

/** The folder of a library's file; `undefined` for files in `src` itself. */
function folderIn(library: string, file: string): string | undefined {
  const [, folder] = new RegExp(`^${library}/src/([^/]+)/`).exec(file) ?? [];
  return folder;
}

function arrowsBetween(
  imports: readonly [string, string][],
  groupOf: (file: string) => string | undefined,
): Map<string, Set<string>> {
  const arrows = new Map<string, Set<string>>();
  for (const [from, to] of imports.map((files) => files.map(groupOf))) {
    if (from === undefined || to === undefined || from === to) continue;
    arrows.set(from, (arrows.get(from) ?? new Set()).add(to));
  }
  return arrows;
}

/** Removes each arrow that a chain of other arrows replaces. There are no cycles, so the order does not matter. */
function withoutDetours(arrows: Arrows): Arrows {
  const reaches = (from: string, to: string): boolean =>
    [...(arrows.get(from) ?? [])].some((next) => next === to || reaches(next, to));
  return new Map(
    [...arrows].map(([from, targets]) => [
      from,
      new Set([...targets].filter((to) => ![...targets].some((other) => other !== to && reaches(other, to)))),
    ]),
  );
}

function namesIn(arrows: Arrows): string[] {
  return [...new Set([...arrows].flatMap(([from, targets]) => [from, ...targets]))].sort();
}

function flowchart(arrows: Arrows): string {
  const nodes = namesIn(arrows).map((name) => `  ${idOf(name)}["${name}"]`);
  const lines = [...arrows].flatMap(([from, targets]) => [...targets].map((to) => `  ${idOf(from)} --> ${idOf(to)}`));
  return ['```mermaid', 'flowchart TB', ...nodes, ...lines.sort(), '```'].join('\n');
}
