import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { BoundedMap } from '../caches/bounded-map.js';
import { docsPage } from './docs-page.js';
import { docsScript } from './docs-script.js';
import { DOCS_STYLES } from './docs-styles.js';
import { documentFiles } from './document-files.js';
import { readGuide } from './guide-sources.js';
import { guidePages } from './guide.js';
import { hashedName, withoutHash } from './hashed-files.js';
import { HeldFile } from './held-file.js';

const HTML = 'text/html; charset=utf-8';
const CSS = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const PNG = 'image/png';

/** The files of Swagger UI's package that the page needs. */
const ASSETS = {
  'swagger-ui.css': CSS,
  'swagger-ui-bundle.js': SCRIPT,
  'favicon-16x16.png': PNG,
  'favicon-32x32.png': PNG,
};

/** The number of prefixes for which the document is cached. A service has one or two; a proxy may pass on others. */
const MAX_PREFIXES = 8;

/** The files by their address. */
type Files = ReadonlyMap<string, HeldFile>;

/** The sources of the documentation. */
export interface ApiDocsSources {
  readonly createDocument: () => OpenAPIObject;
  /** A folder with the pages of the guide in Markdown. `README.md` is the first page. */
  readonly guideFolder?: string;
}

/** The files of the documentation. They are created by the first request and kept in memory (3 MB). */
@Injectable()
export class ApiDocs {
  private sources: ApiDocsSources | undefined;
  private document: OpenAPIObject | undefined;
  private files: Promise<Files> | undefined;
  private readonly prefixed = new BoundedMap<string, Promise<Files>>(MAX_PREFIXES);

  /** Must be called once, before the first request. */
  describeBy(createDocument: () => OpenAPIObject, options: Pick<ApiDocsSources, 'guideFolder'> = {}): void {
    this.sources = { createDocument, ...options };
  }

  /**
   * Finds the file at an address such as `/docs/swagger-ui.css`.
   *
   * @param prefix the prefix that a proxy removed from the address: the document contains it
   */
  async find(path: string, prefix = ''): Promise<HeldFile | undefined> {
    const files = await (this.files ??= this.makeFiles());
    const ofPrefix = prefix === '' ? undefined : (await this.documentUnder(prefix)).get(path);
    // During a deployment, a page of one version requests its files from an instance of another version. That instance
    // sends its own file.
    return ofPrefix ?? files.get(path) ?? files.get(withoutHash(path));
  }

  private async makeFiles(): Promise<Files> {
    const document = this.documentOf();
    const guide = await readGuide(this.sources?.guideFolder);
    const assets = new Map(
      await Promise.all([
        held('docs.css', CSS, DOCS_STYLES),
        held('swagger-ui-init.js', SCRIPT, docsScript(document, guide.size > 0)),
        ...Object.entries(ASSETS).map(([name, type]) => held(name, type, readAsset(name))),
      ]),
    );
    const names = new Map([...assets].map(([name, file]) => [name, hashedName(name, file)]));
    const hashed = (name: string) => names.get(name) ?? name;
    const page = { hashed, hasGuide: guide.size > 0 };
    return new Map([
      ...(await Promise.all([
        held('/docs', HTML, docsPage({ ...page, docs: 'docs/' })),
        held('/docs/', HTML, docsPage({ ...page, docs: '' })),
        ...(await guidePages(guide, hashed)).map(([path, html]) => held(path, HTML, html)),
        ...documentFiles(document).map((file) => held(...file)),
      ])),
      ...[...assets].flatMap(([name, file]): [string, HeldFile][] => [
        [`/docs/${name}`, file],
        [`/docs/${hashed(name)}`, file.immutable()],
      ]),
    ]);
  }

  private documentUnder(prefix: string): Promise<Files> {
    let made = this.prefixed.get(prefix);
    if (made === undefined) {
      const files = documentFiles(this.documentOf(), prefix).map((file) => held(...file));
      made = Promise.all(files).then((entries) => new Map(entries));
      this.prefixed.set(prefix, made);
    }
    return made;
  }

  private documentOf(): OpenAPIObject {
    if (this.sources === undefined) throw new Error('Nothing says how the document is made');
    return (this.document ??= this.sources.createDocument());
  }
}

async function held(
  path: string,
  type: string,
  content: string | Buffer | Promise<Buffer>,
): Promise<[string, HeldFile]> {
  return [path, await HeldFile.of(type, await content)];
}

function readAsset(name: string): Promise<Buffer> {
  return readFile(createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`));
}
