import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { z } from 'zod';
import { declareSettings } from './settings.js';
import { declaredSettings, SettingsModule } from './settings.module.js';

class VetsSettings extends declareSettings({
  VETS_PER_PAGE: z.coerce.number('must be a number').default(20),
  VETS_TOKEN: z.string().min(4, 'must have 4 or more characters').optional(),
}) {}

class OrdersSettings extends declareSettings({ ORDERS_OPEN: z.enum(['yes', 'no'], 'must be yes or no') }) {}

@Injectable()
class Vets {
  constructor(readonly settings: VetsSettings) {}
}

@Module({ imports: [SettingsModule.forFeature(VetsSettings)], providers: [Vets], exports: [Vets] })
class VetsModule {}

@Module({})
class RootModule {}

async function settingsFor(variables: NodeJS.ProcessEnv): Promise<VetsSettings> {
  const root = { module: RootModule, imports: [SettingsModule.forRoot(variables), VetsModule] };
  const context = await NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
  const { settings } = context.get(Vets, { strict: false });
  await context.close();
  return settings;
}

describe('the settings of a module', () => {
  test('are provided by their class, with their defaults', async () => {
    const settings = await settingsFor({ VETS_TOKEN: 'secret' });
    expect(settings).toBeInstanceOf(VetsSettings);
    expect(settings).toMatchObject({ VETS_PER_PAGE: 20, VETS_TOKEN: 'secret' });
  });

  test('may come from a file', async () => {
    const settings = await settingsFor({ VETS_TOKEN_FILE: import.meta.filename });
    expect(settings.VETS_TOKEN).toMatch(/^import /);
  });

  test('are refused with every fault, and without a value', async () => {
    await expect(settingsFor({ VETS_PER_PAGE: 'many', VETS_TOKEN: 'abc' })).rejects.toThrow(
      'The environment is not valid:\n  VETS_PER_PAGE must be a number\n  VETS_TOKEN must have 4 or more characters',
    );
  });
});

test('the settings that modules declare are known, each once', () => {
  SettingsModule.forFeature(OrdersSettings);
  SettingsModule.forFeature(OrdersSettings);
  expect(declaredSettings()).toEqual([VetsSettings, OrdersSettings]);
});
