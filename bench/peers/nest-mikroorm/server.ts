import 'reflect-metadata';
import { start } from '../nest-shared/start.js';
import { AppModule } from './app.module.js';

await start('nest-mikroorm', AppModule);
