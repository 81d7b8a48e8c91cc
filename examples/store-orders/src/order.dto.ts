import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsIn,
  IsInt,
  IsISO8601,
  IsObject,
  IsRFC3339,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { CachedQuery, IsInt64, IsText, Optional, PageRequest } from '@animal-store/http';
import { MAX_NOTE, ORDER_STATUSES, type NewOrder, type Order, type OrderStatus } from './order.entity.js';

/** The greatest quantity of one line, and the greatest number of lines. */
const MAX_QUANTITY = 10;
const MAX_LINES = 50;

/** The greatest length of the name of an article, a street or a city, in characters. */
const MAX_NAME = 255;

@ApiSchema({ name: 'OrderLine', description: 'Something that goes with the animal.' })
export class OrderLineBody {
  @ApiProperty({ description: 'What it is.', minLength: 1, maxLength: MAX_NAME, example: 'LEASH-2' })
  @IsText(1, MAX_NAME)
  readonly sku!: string;

  @ApiProperty({ description: 'How many.', type: 'integer', minimum: 1, maximum: MAX_QUANTITY, example: 2 })
  @IsInt()
  @Min(1)
  @Max(MAX_QUANTITY)
  readonly quantity!: number;
}

@ApiSchema({ name: 'Address', description: 'Where the order goes.' })
export class AddressBody {
  @ApiProperty({ minLength: 1, maxLength: MAX_NAME, example: '1 Harbour Road' })
  @IsText(1, MAX_NAME)
  readonly street!: string;

  @ApiProperty({ minLength: 1, maxLength: MAX_NAME, example: 'Bristol' })
  @IsText(1, MAX_NAME)
  readonly city!: string;
}

/** The body of placeOrder. */
@ApiSchema({ name: 'NewOrder', description: 'An order to be placed.' })
export class PlaceOrderRequest {
  @ApiProperty({ description: 'The ID of the animal.', type: 'integer', format: 'int64', example: 1 })
  @IsInt64()
  readonly petId!: bigint;

  @ApiProperty({ description: 'How many.', type: 'integer', minimum: 1, maximum: MAX_QUANTITY, example: 1 })
  @IsInt()
  @Min(1)
  @Max(MAX_QUANTITY)
  readonly quantity!: number;

  @ApiProperty({ description: 'What goes with it.', type: [OrderLineBody], minItems: 1, maxItems: MAX_LINES })
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_LINES)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => OrderLineBody)
  readonly lines!: OrderLineBody[];

  @ApiProperty({ description: 'Where it goes.' })
  @IsObject()
  @ValidateNested()
  @Type(() => AddressBody)
  readonly address!: AddressBody;

  @ApiPropertyOptional({ description: 'When it is to be shipped.', type: 'string', format: 'date-time' })
  @Optional()
  @IsRFC3339()
  @IsISO8601({ strict: true })
  readonly shipDate?: string;

  @ApiPropertyOptional({ description: 'A note.', maxLength: MAX_NOTE })
  @Optional()
  @IsText(0, MAX_NOTE)
  readonly note?: string;
}

/** A function and not a method: class-transformer drops a member of a body that has the name of a method, without a word. */
export function toNewOrder({ petId, quantity, lines, address, shipDate, note }: PlaceOrderRequest): NewOrder {
  return {
    petId,
    quantity,
    lines: lines.map(({ sku, quantity }) => ({ sku, quantity })),
    address: { street: address.street, city: address.city },
    shipDate: shipDate === undefined ? undefined : new Date(shipDate),
    note,
  };
}

/** The query parameters of listOrders. */
@CachedQuery()
export class ListOrdersQuery extends PageRequest {
  @ApiPropertyOptional({ description: 'Filters by status.', enum: ORDER_STATUSES, enumName: 'OrderStatus' })
  @Optional()
  @IsIn(ORDER_STATUSES)
  readonly status?: OrderStatus;
}

/** An order on the wire, as the OpenAPI document describes it. */
@ApiSchema({ name: 'Order', description: 'An order of one animal of the catalogue.' })
export class OrderResponse extends PlaceOrderRequest {
  @ApiProperty({ description: 'Unique identifier.', type: 'integer', format: 'int64', minimum: 1, example: 1 })
  readonly id!: bigint;

  @ApiProperty({ description: 'The status of the order.', enum: ORDER_STATUSES, enumName: 'OrderStatus' })
  readonly status!: OrderStatus;

  @ApiProperty({ description: 'When it was placed.', type: 'string', format: 'date-time' })
  readonly placedAt!: Date;
}

/** An order as it is shown: without the members that it does not have. */
export function toResponse({ id, petId, quantity, lines, address, shipDate, note, status, placedAt }: Order) {
  const given = { ...(shipDate != null && { shipDate }), ...(note != null && { note }) };
  return { id, petId, quantity, lines, address, ...given, status, placedAt };
}

export type ShownOrder = ReturnType<typeof toResponse>;
