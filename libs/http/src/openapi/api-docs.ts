import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { stringify } from 'yaml';
import { stringifyExactJson } from '../json/exact-json.js';
import { entityTag } from '../responses/entity-tag.js';
import { DOCS_SCRIPT, DOCS_STYLES, docsPage } from './docs-page.js';

/** A file with its media type and its strong entity tag. */
export interface DocsFile {
  readonly type: string;
  readonly body: Buffer;
  readonly entityTag: string;
}

/** The width of a line in YAML, in characters. */
const LINE_WIDTH = 120;

const HTML = 'text/html; charset=utf-8';
const CSS = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

/**
 * The OpenAPI document and the page of Swagger UI. They are bytes that are made once, at start, and the same for every
 * request: whoever asks, with whatever prefix, costs no more than sending them.
 */
@Injectable()
export class ApiDocs {
  readonly hasGuide: boolean;
  private readonly files = new Map<string, DocsFile>();

  /** @param guideFolder the built pages of the guide; the service has no guide where nothing is there */
  constructor(readonly guideFolder: string) {
    this.hasGuide = existsSync(this.firstPage);
    this.add('/docs', HTML, docsPage(this.hasGuide));
    this.add('/docs/docs.js', SCRIPT, DOCS_SCRIPT);
    this.add('/docs/docs.css', CSS, DOCS_STYLES);
    this.add('/docs/swagger-ui.css', CSS, swaggerUiFile('swagger-ui.css'));
    this.add('/docs/swagger-ui-bundle.js', SCRIPT, swaggerUiFile('swagger-ui-bundle.js'));
    this.add('/docs/favicon-32x32.png', 'image/png', swaggerUiFile('favicon-32x32.png'));
  }

  /** The scripts in the pages of the guide: each page has the same ones. */
  get inlineScripts(): string[] {
    if (!this.hasGuide) return [];
    const html = readFileSync(this.firstPage, 'utf8');
    return [...html.matchAll(/<script(?! [^>]*src=)[^>]*>(?<script>[^<]*)<\/script>/g)].map(
      ([, script = '']) => script,
    );
  }

  private get firstPage(): string {
    return join(this.guideFolder, 'index.html');
  }

  /** Must be called once, before the first request. An example that is a `bigint` keeps every digit. */
  publish(document: OpenAPIObject): void {
    this.add('/openapi.json', 'application/json', stringifyExactJson(document));
    this.add('/openapi.yaml', 'application/yaml', yamlOf(document));
  }

  /** The file at an address such as `/docs/swagger-ui.css`. */
  find(path: string): DocsFile | undefined {
    return this.files.get(path);
  }

  private add(path: string, type: string, content: string | Buffer): void {
    const body = Buffer.from(content);
    this.files.set(path, { type, body, entityTag: entityTag(body) });
  }
}

/** For readers: no anchors for parts that repeat. */
function yamlOf(document: OpenAPIObject): string {
  return stringify(document, { aliasDuplicateObjects: false, lineWidth: LINE_WIDTH });
}

function swaggerUiFile(name: string): Buffer {
  return readFileSync(createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`));
}
