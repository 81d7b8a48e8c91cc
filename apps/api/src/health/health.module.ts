import { Module } from '@nestjs/common';
import { HttpModule } from '../http/http.module.js';
import { HealthController } from './health.controller.js';

@Module({ imports: [HttpModule], controllers: [HealthController] })
export class HealthModule {}
