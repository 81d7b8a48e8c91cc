import { type Type, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

/** Starts a Nest peer on $PORT with the validation pipe that the documentation of Nest teaches. */
export async function start(name: string, appModule: Type): Promise<void> {
  const app = await NestFactory.create(appModule);
  app.useGlobalPipes(new ValidationPipe({ whitelist: true, transform: true }));
  await app.listen(Number(process.env['PORT']), '127.0.0.1');
  console.log(`${name} is ready`);
}
