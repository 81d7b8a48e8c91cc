import 'reflect-metadata';
import { timingSafeEqual } from 'node:crypto';
import { ReflectMetadataProvider } from '@mikro-orm/decorators/legacy';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import {
  type CanActivate,
  type ExecutionContext,
  Injectable,
  Module,
  UnauthorizedException,
  ValidationPipe,
} from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import type { Request } from 'express';
import { Pet } from './pet.js';
import { PetsController } from './pets.controller.js';

const expected = Buffer.from(`Bearer ${process.env['BOOTSTRAP_API_KEY']}`);

@Injectable()
class ApiKeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    const sent = Buffer.from(request.headers.authorization ?? '');
    if (sent.length === expected.length && timingSafeEqual(sent, expected)) return true;
    throw new UnauthorizedException();
  }
}

@Module({
  imports: [
    MikroOrmModule.forRoot({
      driver: PostgreSqlDriver,
      clientUrl: process.env['DATABASE_URL'],
      pool: { max: Number(process.env['DATABASE_POOL_SIZE']) },
      metadataProvider: ReflectMetadataProvider,
      entities: [Pet],
    }),
  ],
  controllers: [PetsController],
  providers: [{ provide: APP_GUARD, useClass: ApiKeyGuard }],
})
class AppModule {}

const app = await NestFactory.create(AppModule);
app.useGlobalPipes(new ValidationPipe({ whitelist: true, transform: true }));
await app.listen(Number(process.env['PORT']), '127.0.0.1');
