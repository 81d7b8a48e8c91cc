import { Controller, Get, Header, Logger, Module, Param } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { IsString } from 'class-validator';
import express from 'express';
import { listen } from '../../../test/support/listen.js';
import { JsonExpressAdapter } from './server/json-express-adapter.js';
import { accelerateValidation } from './accelerators/accelerate-validation.js';
import { classTransformations } from './accelerators/class-transformations.js';
import { RequestClasses } from './validation/request-class.js';
import { accelerateRoutes } from './accelerators/accelerate-routes.js';
import { ACCELERATOR_NAMES, Accelerators, type AcceleratorName } from './accelerators/accelerators.js';
import { MissingPartError } from './accelerators/missing-part.error.js';

const { jest } = import.meta;

/** A file that a release has moved. */
const MOVED = '@nestjs/core/no/such/file.js';

let warnings: string[];

beforeEach(() => {
  warnings = [];
  jest.spyOn(Logger.prototype, 'warn').mockImplementation((message: unknown) => {
    warnings.push(String(message));
  });
});

afterEach(() => {
  jest.restoreAllMocks();
});

describe('an accelerator', () => {
  test('serves where everything that it needs is there', () => {
    expect(new Accelerators().begin('compiled-validation', () => 'fast')).toBe('fast');
    expect(warnings).toEqual([]);
  });

  test('is left alone where it is switched off', () => {
    const begin = jest.fn();
    expect(new Accelerators(['route-execution']).begin('compiled-validation', begin)).toBeUndefined();
    expect(begin).not.toHaveBeenCalled();
    expect(warnings).toEqual([]);
  });

  test('leaves its place to the public way where something is missing, and says so once', () => {
    const accelerators = new Accelerators();
    const begin = (): string => {
      throw new MissingPartError('MetadataStorage');
    };
    expect(accelerators.begin('compiled-validation', begin)).toBeUndefined();
    expect(accelerators.begin('compiled-validation', begin)).toBeUndefined();
    expect(warnings).toEqual([expect.stringMatching(/compiled-validation.*MetadataStorage is not what it was/)]);
  });

  test('says that a file which it imports is gone', async () => {
    await new Accelerators().load('route-execution', () => import(MOVED));
    expect(warnings).toEqual([expect.stringContaining(MOVED)]);
  });
});

@Controller()
class Routes {
  @Get('pets/:id')
  @Header('X-Own', 'yes')
  pet(@Param('id') id: string): unknown {
    return { id };
  }

  @Get('plain/:id')
  plain(@Param('id') id: string): unknown {
    return { id };
  }
}

@Module({ controllers: [Routes] })
class RoutesModule {}

type Parts = Record<string, unknown>;

const EXPLORER = 'routesResolver.routerExplorer';
const FACTORY = `${EXPLORER}.executionContextCreator`;

/** Where the last name of a path is, in an application. */
function ownerOf(app: object, path: string): Parts {
  return path
    .split('.')
    .slice(0, -1)
    .reduce((from, key) => from[key] as Parts, app as Parts);
}

/** Puts another part in the place of one, until what is returned is called. */
function replace(app: object, path: string, part: unknown): () => void {
  const owner = ownerOf(app, path);
  const name = path.split('.').at(-1) ?? '';
  const before = owner[name];
  owner[name] = part;
  return () => (owner[name] = before);
}

describe('a route', () => {
  let app: NestExpressApplication;
  let accelerators: Accelerators;

  async function create(inUse?: readonly AcceleratorName[]): Promise<void> {
    accelerators = new Accelerators(inUse);
    const adapter = new JsonExpressAdapter(express());
    app = await NestFactory.create<NestExpressApplication>(RoutesModule, adapter, { logger: false });
  }

  afterEach(() => app.close());

  async function answers(): Promise<unknown[]> {
    await app.init();
    const origin = `http://127.0.0.1:${await listen(app.getHttpServer())}`;
    const responses = await Promise.all([fetch(`${origin}/plain/7`), fetch(`${origin}/pets/7`)]);
    return [
      ...(await Promise.all(responses.map((response) => response.json()))),
      responses.map((response) => response.headers.get('x-own')),
    ];
  }

  const RIGHT = [{ id: '7' }, { id: '7' }, [null, 'yes']];

  test('is executed directly where everything is what it was', async () => {
    await create();
    await accelerateRoutes(app, accelerators);
    expect((ownerOf(app, `${FACTORY}.create`)['create'] as () => unknown).name).toBe('');
    expect(await answers()).toEqual(RIGHT);
    expect(warnings).toEqual([]);
  });

  test('is executed by Nest where accelerators are switched off', async () => {
    await create([]);
    await accelerateRoutes(app, accelerators);
    expect(Object.hasOwn(ownerOf(app, `${FACTORY}.create`), 'create')).toBe(false);
    expect(await answers()).toEqual(RIGHT);
    expect(warnings).toEqual([]);
  });

  test.each([
    EXPLORER,
    `${EXPLORER}.routerProxy`,
    `${EXPLORER}.routerProxy.createProxy`,
    FACTORY,
    `${FACTORY}.create`,
    `${FACTORY}.getMetadata`,
    `${FACTORY}.isPipeable`,
    `${FACTORY}.isResponseHandled`,
    `${FACTORY}.reflectRedirect`,
    `${FACTORY}.reflectRenderTemplate`,
    `${FACTORY}.applicationRef`,
    `${FACTORY}.contextUtils.mergeParamsMetatypes`,
    `${FACTORY}.guardsContextCreator`,
    `${FACTORY}.interceptorsContextCreator`,
    `${FACTORY}.pipesContextCreator.create`,
  ])('is executed by Nest where a release has no %s, which the log tells', async (path) => {
    await create();
    const restore = replace(app, path, undefined);
    await accelerateRoutes(app, accelerators);
    restore();
    expect(warnings).toEqual([expect.stringContaining('route-execution')]);
    expect(await answers()).toEqual(RIGHT);
  });

  test.each<[string, (metadata: Parts) => void]>([
    ['hasCustomHeaders', (metadata) => void (metadata['hasCustomHeaders'] = 1)],
    ['isSseHandler', (metadata) => (metadata['isSseHandler'] = undefined)],
  ])('is left to Nest where what is known of it is not what it was: %s', async (name, change) => {
    await create();
    const factory = ownerOf(app, `${FACTORY}.getMetadata`) as { getMetadata: (...route: unknown[]) => Parts };
    const getMetadata = factory.getMetadata.bind(factory);
    factory.getMetadata = (...route) => {
      const metadata = getMetadata(...route);
      if (metadata['hasCustomHeaders'] === true || name === 'isSseHandler') change(metadata);
      return metadata;
    };
    await accelerateRoutes(app, accelerators);
    expect(await answers()).toEqual(RIGHT);
    expect(warnings).toEqual([expect.stringContaining(`HandlerMetadata.${name}`)]);
  });

  test('keeps the proxy of Nest where its filters are not what they were', async () => {
    await create();
    const creator = ownerOf(app, `${EXPLORER}.routerProxy.createProxy`) as {
      createProxy: (...all: unknown[]) => unknown;
    };
    const createProxy = jest.fn(creator.createProxy.bind(creator));
    creator.createProxy = createProxy;
    await accelerateRoutes(app, accelerators);
    expect(createProxy).not.toHaveBeenCalled();
    creator.createProxy(() => undefined, {});
    expect(createProxy).toHaveBeenCalledTimes(1);
  });
});

describe('what class-transformer was told of a class', () => {
  /** A release in which the file gives something else. */
  const release = (change: (parts: Parts) => unknown) => async (file: string) => {
    const { defaultMetadataStorage: storage } = (await import(file)) as { defaultMetadataStorage: Parts };
    return change(storage);
  };

  test('is found where everything is what it was', async () => {
    expect((await classTransformations()).ofField(Routes, 'any')).toBe('none');
  });

  test.each([
    'getStrategy',
    'getExposedMetadatas',
    'getExcludedMetadatas',
    'findTypeMetadata',
    'findTransformMetadatas',
  ])('is not read where a release has no %s', async (name) => {
    const load = release((storage) => ({ defaultMetadataStorage: Object.create(storage, { [name]: {} }) as object }));
    await expect(classTransformations(load)).rejects.toThrow(
      `MetadataStorage of class-transformer.${name} is not what it was`,
    );
  });

  test('is not read where a release has no storage', async () => {
    await expect(classTransformations(release(() => ({})))).rejects.toThrow(MissingPartError);
  });

  test.each<[string, Parts]>([
    ['@Type', { findTypeMetadata: () => undefined }],
    ['@Transform', { findTransformMetadatas: () => [] }],
    ['@Expose', { getExposedMetadatas: () => [] }],
    ['@Exclude', { getExcludedMetadatas: () => [] }],
    ['@Exclude', { getStrategy: () => 'none' }],
    ['no decorator', { getStrategy: () => undefined }],
  ])('is not read where the storage does not tell what %s declares', async (decorator, parts) => {
    const load = release((storage) => ({
      defaultMetadataStorage: Object.assign(Object.create(storage) as object, parts),
    }));
    await expect(classTransformations(load)).rejects.toThrow(`what ${decorator} declares is not what it was`);
  });

  test('is not asked for where accelerators are switched off', async () => {
    const app = await NestFactory.create(RoutesModule, { logger: false });
    await accelerateValidation(app, new Accelerators([]));
    expect(warnings).toEqual([]);
    await app.close();
  });

  test('lets the classes of requests be compiled', async () => {
    @Module({ providers: [RequestClasses] })
    class ValidatingModule {}
    const app = await NestFactory.create(ValidatingModule, { logger: false });
    await accelerateValidation(app, new Accelerators());
    expect(warnings).toEqual([]);
    class Sent {
      @IsString()
      readonly name!: string;
    }
    expect(app.get(RequestClasses).get(Sent)?.make?.({ name: 'Rex' }, { isText: false, instances: 0 })).toEqual({
      name: 'Rex',
    });
    await app.close();
  });
});

test('every accelerator is in use unless something else is said', () => {
  const accelerators = new Accelerators();
  expect(ACCELERATOR_NAMES.map((name) => accelerators.begin(name, () => name))).toEqual(ACCELERATOR_NAMES);
});
