import { Module } from '@nestjs/common';
import { HttpModule } from '@animal-store/http';
import { AppointmentsController } from './http/appointments.controller.js';
import { AppointmentsPersistenceModule } from './persistence/appointments-persistence.module.js';

@Module({
  imports: [
    HttpModule.forFeature({
      errorCodes: [{ code: 'slot_taken', kind: 'conflict', meaning: 'The vet has another appointment at that time.' }],
    }),
    AppointmentsPersistenceModule,
  ],
  controllers: [AppointmentsController],
})
export class AppointmentsModule {}
