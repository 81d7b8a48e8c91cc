import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { dump } from 'js-yaml';
import { docsPage, docsScript } from './docs-page.js';
import { HeldFile } from './held-file.js';

const HTML = 'text/html; charset=utf-8';
const CSS = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const PNG = 'image/png';

/** What the page needs of Swagger UI's package; the rest of it is nobody's business. */
const ASSETS = {
  'swagger-ui.css': CSS,
  'index.css': CSS,
  'swagger-ui-bundle.js': SCRIPT,
  'favicon-16x16.png': PNG,
  'favicon-32x32.png': PNG,
};

/** By address. */
type Files = ReadonlyMap<string, HeldFile>;

/** The documentation: what it consists of is made when first asked for, once, and kept in memory (3 MB). */
@Injectable()
export class ApiDocs {
  private createDocument: (() => OpenAPIObject) | undefined;
  private files: Promise<Files> | undefined;

  /** To be called once, before the first request. */
  describeBy(createDocument: () => OpenAPIObject): void {
    this.createDocument = createDocument;
  }

  /** The file at an address such as `/docs/swagger-ui.css`. */
  async find(path: string): Promise<HeldFile | undefined> {
    return (await (this.files ??= this.makeFiles())).get(path);
  }

  private async makeFiles(): Promise<Files> {
    if (this.createDocument === undefined) throw new Error('Nothing says how the document is made');
    const document = this.createDocument();
    const files: Promise<[string, HeldFile]>[] = [
      held('/docs', HTML, docsPage('docs/')),
      held('/docs/', HTML, docsPage('')),
      held('/docs/swagger-ui-init.js', SCRIPT, docsScript(document)),
      held('/openapi.json', 'application/json', JSON.stringify(document)),
      held('/openapi.yaml', 'application/yaml', dump(document, { skipInvalid: true, noRefs: true })),
      ...Object.entries(ASSETS).map(([name, type]) => held(`/docs/${name}`, type, readAsset(name))),
    ];
    return new Map(await Promise.all(files));
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
