import 'reflect-metadata';
import { startWithOrders } from '../../nest-shared/orders/start.js';
import { AppModule } from './app.module.js';

await startWithOrders('nest-typeorm', AppModule);
