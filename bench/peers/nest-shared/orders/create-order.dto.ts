import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsDefined,
  IsInt,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsRFC3339,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { IsInt64 } from './int64.js';

export class OrderLineDto {
  @IsString()
  @IsNotEmpty()
  @MaxLength(255)
  sku!: string;

  @IsInt()
  @Min(1)
  @Max(10)
  quantity!: number;
}

export class AddressDto {
  @IsString()
  @IsNotEmpty()
  @MaxLength(255)
  street!: string;

  @IsString()
  @IsNotEmpty()
  @MaxLength(255)
  city!: string;
}

export class CreateOrderDto {
  @IsInt64()
  petId!: bigint;

  @IsInt()
  @Min(1)
  @Max(10)
  quantity!: number;

  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(50)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => OrderLineDto)
  lines!: OrderLineDto[];

  @IsDefined()
  @IsObject()
  @ValidateNested()
  @Type(() => AddressDto)
  address!: AddressDto;

  @IsOptional()
  @IsRFC3339()
  shipDate?: string;

  @IsOptional()
  @IsString()
  @MaxLength(2000)
  note?: string;
}
