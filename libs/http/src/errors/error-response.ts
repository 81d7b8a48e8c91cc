import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { BASE_ERROR_CODES, type BaseErrorCode } from './error-codes.js';

/** The body of every error response: these three fields and no other. */
@ApiSchema({ name: 'Error', description: 'What went wrong.' })
export class ErrorResponse {
  /** The document lists the codes of the application, those of its modules included. */
  @ApiProperty({ example: 'invalid_request' })
  readonly code: string;

  @ApiProperty({
    description: 'Human-readable description. With 400 it names every field that is wrong, and what it must be.',
    example: 'name is required and must be a string',
  })
  readonly message: string;

  @ApiProperty({
    description: 'The HTTP status code.',
    type: 'integer',
    format: 'int32',
    minimum: 400,
    maximum: 599,
    example: 400,
  })
  readonly status: number;

  constructor(code: string, message: string, status: number) {
    this.code = code;
    this.message = message;
    this.status = status;
  }

  /** An error with the status of its code. */
  static of(code: BaseErrorCode, message: string): ErrorResponse {
    return new ErrorResponse(code, message, BASE_ERROR_CODES[code].status);
  }

  /** For a defect of the service. */
  static failure(): ErrorResponse {
    return ErrorResponse.of(
      'internal_error',
      'The service failed to handle the request: report the X-Request-Id of this response',
    );
  }
}
