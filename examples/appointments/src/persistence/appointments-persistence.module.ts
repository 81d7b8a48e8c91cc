import { defineEntity, p } from '@mikro-orm/core';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Injectable, Module } from '@nestjs/common';
import type { PageQuery } from '@animal-store/kernel';
import { CurrentTransaction, violatedConstraint } from '@animal-store/persistence';
import { PetMapping } from '@animal-store/persistence/pets';
import { PetNotFoundError } from '@animal-store/pets-domain';
import {
  Appointment,
  AppointmentRepository,
  SlotTakenError,
  type AppointmentFilter,
  type AppointmentPage,
  type NewAppointment,
} from '../domain/appointment.js';

export const AppointmentMapping = defineEntity({
  class: Appointment,
  tableName: 'appointments',
  properties: {
    id: p.bigint().primary().autoincrement().generated('by default as identity'),
    vet: p.string(),
    pet: () => p.manyToOne(PetMapping),
    startsAt: p.datetime(3),
    endsAt: p.datetime(3),
    price: p.decimal().precision(8).scale(2),
  },
  checks: [
    {
      name: 'appointments_time_excl',
      expression: 'exclude using gist ("vet" with =, tstzrange("starts_at", "ends_at") with &&)',
    },
  ],
  // One for each combination of filters that is often asked for, in the order of the list.
  indexes: [
    { name: 'appointments_start_index', properties: ['startsAt', 'id'] },
    { name: 'appointments_vet_index', properties: ['vet', 'startsAt', 'id'] },
    { name: 'appointments_pet_index', properties: ['pet', 'startsAt', 'id'] },
  ],
});

/** Takes part in the transaction of the caller, if there is one. */
@Injectable()
class MikroOrmAppointmentRepository extends AppointmentRepository {
  constructor(private readonly current: CurrentTransaction) {
    super();
  }

  override async book({ petId, vet, startsAt, endsAt, price }: NewAppointment): Promise<Appointment> {
    const em = this.current.entityManager;
    const pet = await em.findOne(PetMapping, petId);
    if (pet === null) throw new PetNotFoundError(petId);
    const appointment = new Appointment(vet, pet, startsAt, endsAt, price);
    try {
      await em.persist(appointment).flush();
    } catch (error) {
      if (violatedConstraint(error) !== 'appointments_time_excl') throw error;
      throw new SlotTakenError(`${vet} has another appointment at that time`);
    }
    return appointment;
  }

  override async findPage({ limit, afterId, vet, petId }: PageQuery & AppointmentFilter): Promise<AppointmentPage> {
    const em = this.current.entityManager;
    // The cursor is an id, also where the order is another one: the row with that id tells where the page begins.
    const after = afterId === undefined ? undefined : await em.findOneOrFail(AppointmentMapping, afterId);
    const { items, hasNextPage } = await em.findByCursor(AppointmentMapping, {
      where: {
        ...(vet !== undefined && { vet }),
        ...(petId !== undefined && { pet: petId }),
        // MikroORM's condition for `after` has an `or`, with which PostgreSQL would read the index from its beginning.
        ...(after && { startsAt: { $gte: after.startsAt } }),
      },
      orderBy: { startsAt: 'asc', id: 'asc' },
      populate: ['pet'],
      first: limit,
      ...(after && { after: { startsAt: after.startsAt, id: after.id } }),
      includeCount: false,
    });
    return { appointments: items, nextAfterId: hasNextPage ? items.at(-1)?.id : undefined };
  }
}

@Module({
  imports: [MikroOrmModule.forFeature([AppointmentMapping, PetMapping])],
  providers: [{ provide: AppointmentRepository, useClass: MikroOrmAppointmentRepository }],
  exports: [AppointmentRepository],
})
export class AppointmentsPersistenceModule {}
