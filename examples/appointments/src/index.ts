export { AppointmentsModule } from './appointments.module.js';
