import { Readable } from 'node:stream';
import { Body, Controller, Get, Header, Post, Query, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import {
  ApiErrors,
  ApiResource,
  HttpResponse,
  IsDateTime,
  IsInt64,
  IsText,
  Optional,
  PageRequest,
  Pages,
} from '@animal-store/http';
import { SerializedPage } from '@animal-store/kernel';
import { AppointmentRepository, type Appointment } from '../domain/appointment.js';

@ApiSchema({ name: 'NewAppointment' })
class BookRequest {
  @ApiProperty({ type: 'integer', format: 'int64', example: 1 })
  @IsInt64()
  readonly petId!: bigint;

  @ApiProperty({ minLength: 1, maxLength: 255, example: 'Dr. Ann' })
  @IsText(1, 255)
  readonly vet!: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  @IsDateTime()
  readonly startsAt!: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  @IsDateTime()
  readonly endsAt!: string;

  @ApiProperty({ description: 'Exact.', pattern: '^(0|[1-9][0-9]{0,5})[.][0-9]{2}$', example: '49.90' })
  @Matches(/^(?:0|[1-9][0-9]{0,5})[.][0-9]{2}$/)
  readonly price!: string;
}

@ApiSchema({ name: 'Appointment' })
class AppointmentResponse extends BookRequest {
  @ApiProperty({ type: 'integer', format: 'int64', example: 1 })
  readonly id!: bigint;

  @ApiProperty({ example: 'Rex' })
  readonly petName!: string;
}

class ListAppointmentsQuery extends PageRequest {
  @ApiPropertyOptional({ minLength: 1, maxLength: 255 })
  @Optional()
  @IsText(1, 255)
  readonly vet?: string;

  @ApiPropertyOptional({ type: 'integer', format: 'int64' })
  @Optional()
  @IsInt64()
  readonly petId?: bigint;
}

/** How many rows of an export are in memory at a time. */
const ROWS = 500;

const DOCS = new ApiResource({ name: 'Appointment', one: 'appointment', type: AppointmentResponse });

@DOCS.group('Appointments', 'Appointments of animals with vets.')
@Controller({ path: 'appointments', version: '1' })
export class AppointmentsController {
  constructor(
    private readonly appointments: AppointmentRepository,
    private readonly pages: Pages,
  ) {}

  @Post()
  @DOCS.create(BookRequest, { done: 'booked', errors: ['not_found', 'slot_taken'] })
  async book(@Body() { startsAt, endsAt, ...rest }: BookRequest): Promise<HttpResponse> {
    const times = { startsAt: new Date(startsAt), endsAt: new Date(endsAt) };
    const booked = await this.appointments.book({ ...rest, ...times });
    return HttpResponse.created(textOf(booked), `/v1/appointments/${booked.id}`);
  }

  @Get()
  @DOCS.list({ order: 'in the order of their start' })
  list(@Query() query: ListAppointmentsQuery): Promise<HttpResponse> {
    return this.pages.respond('/v1/appointments', query, async (pageQuery) => {
      const { appointments, nextAfterId } = await this.appointments.findPage(pageQuery);
      return new SerializedPage(`[${appointments.map(textOf).join(',')}]`, nextAfterId);
    });
  }

  @Get('export')
  @Header('Content-Type', 'application/x-ndjson')
  @ApiOperation({ operationId: 'exportAppointments', summary: 'Export all appointments, one in a line' })
  @ApiOkResponse({ content: { 'application/x-ndjson': { schema: { type: 'string' } } } })
  @ApiErrors()
  export(): StreamableFile {
    return new StreamableFile(Readable.from(this.lines()));
  }

  /** A stream asks for the next page when the client has taken this one. */
  private async *lines(): AsyncGenerator<string> {
    let afterId: bigint | undefined;
    do {
      const { appointments, nextAfterId } = await this.appointments.findPage({ limit: ROWS, afterId });
      if (appointments.length > 0) yield appointments.map((appointment) => `${textOf(appointment)}\n`).join('');
      afterId = nextAfterId;
    } while (afterId !== undefined);
  }
}

function textOf({ pet, ...appointment }: Appointment): string {
  return HttpResponse.of({ ...appointment, petId: pet.id, petName: pet.name }).body;
}
