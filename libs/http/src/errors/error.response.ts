import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ERROR_CODES, type ErrorCode } from './error-codes.js';

/** The body of every answer that is not a success: these three fields and no other. */
@ApiSchema({ name: 'Error', description: 'What went wrong.' })
export class ErrorResponse {
  @ApiProperty({
    description: 'Machine-readable error code.',
    enum: Object.keys(ERROR_CODES),
    example: 'invalid_request',
  })
  readonly code: ErrorCode;

  @ApiProperty({ description: 'Human-readable description.', example: 'name is required and must be a string' })
  readonly message: string;

  @ApiProperty({ description: 'The HTTP status code.', type: 'integer', minimum: 400, maximum: 599, example: 400 })
  readonly status: number;

  constructor(code: ErrorCode, message: string, status: number = ERROR_CODES[code].status) {
    this.code = code;
    this.message = message;
    this.status = status;
  }

  /** For an address that names nothing, here or on the port of the metrics. */
  static nothingHere(): ErrorResponse {
    return new ErrorResponse('not_found', 'There is nothing at this address');
  }

  /** For a defect of the service, about which nobody outside learns more. */
  static failure(): ErrorResponse {
    return new ErrorResponse('internal_error', 'The service failed to handle the request');
  }
}
