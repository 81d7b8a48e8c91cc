import { type Type, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { reviveIntegers, writeIntegers } from './int64.js';

/** Starts a Nest peer with orders on $PORT: `ValidationPipe` refuses unknown fields, and JSON has exact integers. */
export async function startWithOrders(name: string, appModule: Type): Promise<void> {
  writeIntegers();
  const app = await NestFactory.create<NestExpressApplication>(appModule, { bodyParser: false });
  app.useBodyParser('json', { reviver: reviveIntegers });
  app.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true }));
  await app.listen(Number(process.env['PORT']), '127.0.0.1');
  console.log(`${name} is ready`);
}
