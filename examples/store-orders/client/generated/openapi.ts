/** Generated from the OpenAPI document by `npm run client:types`: change that, and never this file. */

export interface paths {
  '/pets': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List all animals
     * @description Returns a paginated list of animals in ascending order of id. Where more follow, the answer carries `Link: <…>; rel="next"`: the address of the next page. Following it visits every animal exactly once, while others are being added.
     */
    get: operations['listPets'];
    put?: never;
    /**
     * Add an animal
     * @description Adds a new animal to the store. With an `Idempotency-Key` the request can be sent again safely, also when its answer was lost.
     */
    post: operations['createPet'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/pets/{petId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get an animal
     * @deprecated
     * @description Returns details of one animal by ID. Deprecated: removed on 5 December 2030. Use `GET /pets` with the status filter instead.
     */
    get: operations['getPet'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/store/orders': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List all orders
     * @description Returns a paginated list of orders in ascending order of id. Where more follow, the answer carries `Link: <…>; rel="next"`: the address of the next page. Following it visits every order exactly once, while others are being added.
     */
    get: operations['listOrders'];
    put?: never;
    /** Place an order */
    post: operations['placeOrder'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/store/orders/{orderId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get an order
     * @description Returns details of one order by ID.
     */
    get: operations['getOrder'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/store/orders/{orderId}/deliver': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Deliver an order */
    post: operations['deliverOrder'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/store/orders/{orderId}/cancel': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Cancel an order */
    post: operations['cancelOrder'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /**
     * @description Availability of the animal.
     * @enum {string}
     */
    PetStatus: 'available' | 'pending' | 'sold';
    /** @description An animal of the catalogue. */
    Animal: {
      /**
       * Format: int64
       * @description Unique identifier assigned on creation.
       * @example 1
       */
      id: bigint;
      /**
       * @description The animal's name.
       * @example Rex
       */
      name: string;
      /**
       * Format: int64
       * @description The ID of the category the animal belongs to.
       * @example 7
       */
      categoryId: bigint;
      /**
       * @description Availability of the animal.
       * @example available
       */
      status?: components['schemas']['PetStatus'];
    };
    /** @description An animal to be added. */
    NewPet: {
      /**
       * @description The animal's name: stored as sent, with at least one character that is not blank.
       * @example Rex
       */
      name: string;
      /**
       * Format: int64
       * @description The ID of the category the animal belongs to.
       * @example 7
       */
      categoryId: bigint;
      /**
       * @description Availability of the animal.
       * @default available
       * @example available
       */
      status?: components['schemas']['PetStatus'];
    };
    /** @description Something that goes with the animal. */
    OrderLine: {
      /**
       * @description What it is.
       * @example LEASH-2
       */
      sku: string;
      /**
       * @description How many.
       * @example 2
       */
      quantity: number;
    };
    /** @description Where the order goes. */
    Address: {
      /** @example 1 Harbour Road */
      street: string;
      /** @example Bristol */
      city: string;
    };
    /**
     * @description What has become of it.
     * @enum {string}
     */
    OrderStatus: 'placed' | 'delivered' | 'cancelled';
    /** @description An order of one animal of the catalogue. */
    Order: {
      /**
       * Format: int64
       * @description The ID of the animal.
       * @example 1
       */
      petId: bigint;
      /**
       * @description How many.
       * @example 1
       */
      quantity: number;
      /** @description What goes with it. */
      lines: components['schemas']['OrderLine'][];
      /** @description Where it goes. */
      address: components['schemas']['Address'];
      /**
       * Format: date-time
       * @description When it shall go.
       */
      shipDate?: string;
      /** @description What else is to be known. */
      note?: string;
      /**
       * Format: int64
       * @description Unique identifier.
       * @example 1
       */
      id: bigint;
      /** @description What has become of it. */
      status: components['schemas']['OrderStatus'];
      /**
       * Format: date-time
       * @description When it was placed.
       */
      placedAt: string;
    };
    /** @description An order to be placed. */
    NewOrder: {
      /**
       * Format: int64
       * @description The ID of the animal.
       * @example 1
       */
      petId: bigint;
      /**
       * @description How many.
       * @example 1
       */
      quantity: number;
      /** @description What goes with it. */
      lines: components['schemas']['OrderLine'][];
      /** @description Where it goes. */
      address: components['schemas']['Address'];
      /**
       * Format: date-time
       * @description When it shall go.
       */
      shipDate?: string;
      /** @description What else is to be known. */
      note?: string;
    };
    /** @description What went wrong. */
    Error: {
      /**
       * @description Machine-readable error code.
       * @example invalid_request
       * @enum {string}
       */
      code:
        | 'invalid_request'
        | 'unauthorized'
        | 'forbidden'
        | 'not_found'
        | 'method_not_allowed'
        | 'not_acceptable'
        | 'request_timeout'
        | 'conflict'
        | 'pet_not_available'
        | 'order_closed'
        | 'gone'
        | 'precondition_failed'
        | 'payload_too_large'
        | 'unsupported_media_type'
        | 'unprocessable_content'
        | 'idempotency_key_reused'
        | 'rate_limited'
        | 'headers_too_large'
        | 'internal_error'
        | 'not_implemented'
        | 'bad_gateway'
        | 'service_unavailable'
        | 'gateway_timeout';
      /**
       * @description Human-readable description.
       * @example name is required and must be a string
       */
      message: string;
      /**
       * @description The HTTP status code.
       * @example 400
       */
      status: number;
    };
    /** @description Animals in ascending order of id. */
    Pets: components['schemas']['Animal'][];
    /** @description Orders in ascending order of id. */
    Orders: components['schemas']['Order'][];
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  listPets: {
    parameters: {
      query?: {
        /** @description Maximum number of animals returned. */
        limit?: number;
        /** @description Filters by availability status. */
        status?: components['schemas']['PetStatus'];
        /** @description Where the page begins: opaque, as the `Link` header of the page before gave it, with the same `status`. */
        cursor?: string;
      };
      header?: {
        /** @description Entity tags that the client holds; the answer is 304 when one of them is current. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          /** @description Strong entity tag of the body, for `If-None-Match`. */
          ETag?: string;
          /** @description The next page, where there is one (RFC 8288). */
          Link?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example [
           *       {
           *         "id": 1,
           *         "name": "Rex",
           *         "categoryId": 7,
           *         "status": "available"
           *       }
           *     ]
           */
          'application/json': components['schemas']['Pets'];
        };
      };
      /** @description The copy that the client holds is current; there is no body. */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request breaks a rule; the message names every field and what it must be. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "invalid_request",
           *       "message": "The request breaks a rule; the message names every field and what it must be.",
           *       "status": 400
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The API key is missing or invalid. */
      401: {
        headers: {
          /** @description The challenge (RFC 6750). */
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "unauthorized",
           *       "message": "The API key is missing or invalid.",
           *       "status": 401
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "request_timeout",
           *       "message": "The request did not arrive in time.",
           *       "status": 408
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The API key sent too many requests; `Retry-After` says when to try again. */
      429: {
        headers: {
          /** @description Seconds to wait before the next try. */
          'Retry-After'?: number;
          /**
           * @description How many requests (`q`) the API key may send in how many seconds (`w`), where a limit is set: on every answer, as draft-ietf-httpapi-ratelimit-headers-10 has it.
           * @example "default";q=600;w=60
           */
          'RateLimit-Policy'?: string;
          /**
           * @description How many requests are left (`r`), and after how many seconds (`t`) there are more: on every answer.
           * @example "default";r=0;t=30
           */
          RateLimit?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "rate_limited",
           *       "message": "The API key sent too many requests; Retry-After says when to try again.",
           *       "status": 429
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The header fields of the request are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "headers_too_large",
           *       "message": "The header fields of the request are too large.",
           *       "status": 431
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service failed. Quote the `X-Request-Id` of the answer when you report it. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "internal_error",
           *       "message": "The service failed. Quote the X-Request-Id of the answer when you report it.",
           *       "status": 500
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service or its database is not available; `Retry-After` says when to try again. */
      503: {
        headers: {
          /** @description Seconds to wait before the next try. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "service_unavailable",
           *       "message": "The service or its database is not available; Retry-After says when to try again.",
           *       "status": 503
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  createPet: {
    parameters: {
      query?: never;
      header?: {
        /** @description Names this request, best with a new UUID: however often it is sent within 24 hours, at once or again, by holders of the same API key, one animal is added, and each answer is the first one. Bodies are the same when they mean the same animal. Only additions are remembered: after an error send the request again as it is, or correct it under the same key. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    /** @description The animal to be added. */
    requestBody: {
      content: {
        'application/json': components['schemas']['NewPet'];
      };
    };
    responses: {
      /** @description Animal added. */
      201: {
        headers: {
          /** @description Strong entity tag of the body, for `If-None-Match`. */
          ETag?: string;
          /**
           * @description The address of the animal.
           * @example /v1/pets/1
           */
          Location?: string;
          /** @description `true` when an earlier request with the same `Idempotency-Key` had added the animal. */
          'Idempotent-Replayed'?: 'true';
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 1,
           *       "name": "Rex",
           *       "categoryId": 7,
           *       "status": "available"
           *     }
           */
          'application/json': components['schemas']['Animal'];
        };
      };
      /** @description The request breaks a rule; the message names every field and what it must be. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "invalid_request",
           *       "message": "The request breaks a rule; the message names every field and what it must be.",
           *       "status": 400
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The API key is missing or invalid. */
      401: {
        headers: {
          /** @description The challenge (RFC 6750). */
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "unauthorized",
           *       "message": "The API key is missing or invalid.",
           *       "status": 401
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "request_timeout",
           *       "message": "The request did not arrive in time.",
           *       "status": 408
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is larger than the service accepts. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "payload_too_large",
           *       "message": "The body is larger than the service accepts.",
           *       "status": 413
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is not `application/json`, or in an encoding that is not supported. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "unsupported_media_type",
           *       "message": "The body is not application/json, or in an encoding that is not supported.",
           *       "status": 415
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The `Idempotency-Key` was used before with another body. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "idempotency_key_reused",
           *       "message": "The Idempotency-Key was used before with another body.",
           *       "status": 422
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The API key sent too many requests; `Retry-After` says when to try again. */
      429: {
        headers: {
          /** @description Seconds to wait before the next try. */
          'Retry-After'?: number;
          /**
           * @description How many requests (`q`) the API key may send in how many seconds (`w`), where a limit is set: on every answer, as draft-ietf-httpapi-ratelimit-headers-10 has it.
           * @example "default";q=600;w=60
           */
          'RateLimit-Policy'?: string;
          /**
           * @description How many requests are left (`r`), and after how many seconds (`t`) there are more: on every answer.
           * @example "default";r=0;t=30
           */
          RateLimit?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "rate_limited",
           *       "message": "The API key sent too many requests; Retry-After says when to try again.",
           *       "status": 429
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The header fields of the request are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "headers_too_large",
           *       "message": "The header fields of the request are too large.",
           *       "status": 431
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service failed. Quote the `X-Request-Id` of the answer when you report it. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "internal_error",
           *       "message": "The service failed. Quote the X-Request-Id of the answer when you report it.",
           *       "status": 500
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service or its database is not available; `Retry-After` says when to try again. */
      503: {
        headers: {
          /** @description Seconds to wait before the next try. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "service_unavailable",
           *       "message": "The service or its database is not available; Retry-After says when to try again.",
           *       "status": 503
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getPet: {
    parameters: {
      query?: never;
      header?: {
        /** @description Entity tags that the client holds; the answer is 304 when one of them is current. */
        'If-None-Match'?: string;
      };
      path: {
        /** @description The ID of the animal to retrieve. */
        petId: bigint;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Found. */
      200: {
        headers: {
          /** @description Since when the operation is deprecated (RFC 9745). */
          Deprecation?: string;
          /** @description When the operation will be removed (RFC 8594). */
          Sunset?: string;
          /** @description The successor of the operation. */
          Link?: string;
          /** @description Strong entity tag of the body, for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 1,
           *       "name": "Rex",
           *       "categoryId": 7,
           *       "status": "available"
           *     }
           */
          'application/json': components['schemas']['Animal'];
        };
      };
      /** @description The copy that the client holds is current; there is no body. */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request breaks a rule; the message names every field and what it must be. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "invalid_request",
           *       "message": "The request breaks a rule; the message names every field and what it must be.",
           *       "status": 400
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The API key is missing or invalid. */
      401: {
        headers: {
          /** @description The challenge (RFC 6750). */
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "unauthorized",
           *       "message": "The API key is missing or invalid.",
           *       "status": 401
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Nothing is at this address, or no animal has this id. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "not_found",
           *       "message": "Nothing is at this address, or no animal has this id.",
           *       "status": 404
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "request_timeout",
           *       "message": "The request did not arrive in time.",
           *       "status": 408
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The API key sent too many requests; `Retry-After` says when to try again. */
      429: {
        headers: {
          /** @description Seconds to wait before the next try. */
          'Retry-After'?: number;
          /**
           * @description How many requests (`q`) the API key may send in how many seconds (`w`), where a limit is set: on every answer, as draft-ietf-httpapi-ratelimit-headers-10 has it.
           * @example "default";q=600;w=60
           */
          'RateLimit-Policy'?: string;
          /**
           * @description How many requests are left (`r`), and after how many seconds (`t`) there are more: on every answer.
           * @example "default";r=0;t=30
           */
          RateLimit?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "rate_limited",
           *       "message": "The API key sent too many requests; Retry-After says when to try again.",
           *       "status": 429
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The header fields of the request are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "headers_too_large",
           *       "message": "The header fields of the request are too large.",
           *       "status": 431
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service failed. Quote the `X-Request-Id` of the answer when you report it. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "internal_error",
           *       "message": "The service failed. Quote the X-Request-Id of the answer when you report it.",
           *       "status": 500
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service or its database is not available; `Retry-After` says when to try again. */
      503: {
        headers: {
          /** @description Seconds to wait before the next try. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "service_unavailable",
           *       "message": "The service or its database is not available; Retry-After says when to try again.",
           *       "status": 503
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  listOrders: {
    parameters: {
      query?: {
        /** @description Maximum number of orders returned. */
        limit?: number;
        /** @description Filters by status. */
        status?: components['schemas']['OrderStatus'];
        /** @description Where the page begins: opaque, as the `Link` header of the page before gave it, with the same `status`. */
        cursor?: string;
      };
      header?: {
        /** @description Entity tags that the client holds; the answer is 304 when one of them is current. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success. */
      200: {
        headers: {
          /** @description Strong entity tag of the body, for `If-None-Match`. */
          ETag?: string;
          /** @description The next page, where there is one (RFC 8288). */
          Link?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example [
           *       {
           *         "id": 1
           *       }
           *     ]
           */
          'application/json': components['schemas']['Orders'];
        };
      };
      /** @description The copy that the client holds is current; there is no body. */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request breaks a rule; the message names every field and what it must be. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "invalid_request",
           *       "message": "The request breaks a rule; the message names every field and what it must be.",
           *       "status": 400
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The API key is missing or invalid. */
      401: {
        headers: {
          /** @description The challenge (RFC 6750). */
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "unauthorized",
           *       "message": "The API key is missing or invalid.",
           *       "status": 401
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "request_timeout",
           *       "message": "The request did not arrive in time.",
           *       "status": 408
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The API key sent too many requests; `Retry-After` says when to try again. */
      429: {
        headers: {
          /** @description Seconds to wait before the next try. */
          'Retry-After'?: number;
          /**
           * @description How many requests (`q`) the API key may send in how many seconds (`w`), where a limit is set: on every answer, as draft-ietf-httpapi-ratelimit-headers-10 has it.
           * @example "default";q=600;w=60
           */
          'RateLimit-Policy'?: string;
          /**
           * @description How many requests are left (`r`), and after how many seconds (`t`) there are more: on every answer.
           * @example "default";r=0;t=30
           */
          RateLimit?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "rate_limited",
           *       "message": "The API key sent too many requests; Retry-After says when to try again.",
           *       "status": 429
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The header fields of the request are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "headers_too_large",
           *       "message": "The header fields of the request are too large.",
           *       "status": 431
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service failed. Quote the `X-Request-Id` of the answer when you report it. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "internal_error",
           *       "message": "The service failed. Quote the X-Request-Id of the answer when you report it.",
           *       "status": 500
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service or its database is not available; `Retry-After` says when to try again. */
      503: {
        headers: {
          /** @description Seconds to wait before the next try. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "service_unavailable",
           *       "message": "The service or its database is not available; Retry-After says when to try again.",
           *       "status": 503
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  placeOrder: {
    parameters: {
      query?: never;
      header?: {
        /** @description Names this request, best with a new UUID: however often it is sent within 24 hours, at once or again, by holders of the same API key, one order is placed, and each answer is the first one. Bodies are the same when they mean the same order. Only additions are remembered: after an error send the request again as it is, or correct it under the same key. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    /** @description The order to be placed. */
    requestBody: {
      content: {
        'application/json': components['schemas']['NewOrder'];
      };
    };
    responses: {
      /** @description Order placed. */
      201: {
        headers: {
          /** @description Strong entity tag of the body, for `If-None-Match`. */
          ETag?: string;
          /**
           * @description The address of the order.
           * @example /v1/store/orders/1
           */
          Location?: string;
          /** @description `true` when an earlier request with the same `Idempotency-Key` had placed the order. */
          'Idempotent-Replayed'?: 'true';
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 1
           *     }
           */
          'application/json': components['schemas']['Order'];
        };
      };
      /** @description The request breaks a rule; the message names every field and what it must be. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "invalid_request",
           *       "message": "The request breaks a rule; the message names every field and what it must be.",
           *       "status": 400
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The API key is missing or invalid. */
      401: {
        headers: {
          /** @description The challenge (RFC 6750). */
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "unauthorized",
           *       "message": "The API key is missing or invalid.",
           *       "status": 401
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Nothing is at this address, or no animal has this id. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "not_found",
           *       "message": "Nothing is at this address, or no animal has this id.",
           *       "status": 404
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "request_timeout",
           *       "message": "The request did not arrive in time.",
           *       "status": 408
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Somebody else has ordered the animal. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "pet_not_available",
           *       "message": "Somebody else has ordered the animal.",
           *       "status": 409
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is larger than the service accepts. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "payload_too_large",
           *       "message": "The body is larger than the service accepts.",
           *       "status": 413
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The body is not `application/json`, or in an encoding that is not supported. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "unsupported_media_type",
           *       "message": "The body is not application/json, or in an encoding that is not supported.",
           *       "status": 415
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The `Idempotency-Key` was used before with another body. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "idempotency_key_reused",
           *       "message": "The Idempotency-Key was used before with another body.",
           *       "status": 422
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The API key sent too many requests; `Retry-After` says when to try again. */
      429: {
        headers: {
          /** @description Seconds to wait before the next try. */
          'Retry-After'?: number;
          /**
           * @description How many requests (`q`) the API key may send in how many seconds (`w`), where a limit is set: on every answer, as draft-ietf-httpapi-ratelimit-headers-10 has it.
           * @example "default";q=600;w=60
           */
          'RateLimit-Policy'?: string;
          /**
           * @description How many requests are left (`r`), and after how many seconds (`t`) there are more: on every answer.
           * @example "default";r=0;t=30
           */
          RateLimit?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "rate_limited",
           *       "message": "The API key sent too many requests; Retry-After says when to try again.",
           *       "status": 429
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The header fields of the request are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "headers_too_large",
           *       "message": "The header fields of the request are too large.",
           *       "status": 431
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service failed. Quote the `X-Request-Id` of the answer when you report it. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "internal_error",
           *       "message": "The service failed. Quote the X-Request-Id of the answer when you report it.",
           *       "status": 500
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service or its database is not available; `Retry-After` says when to try again. */
      503: {
        headers: {
          /** @description Seconds to wait before the next try. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "service_unavailable",
           *       "message": "The service or its database is not available; Retry-After says when to try again.",
           *       "status": 503
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getOrder: {
    parameters: {
      query?: never;
      header?: {
        /** @description Entity tags that the client holds; the answer is 304 when one of them is current. */
        'If-None-Match'?: string;
      };
      path: {
        /** @description The ID of the order to retrieve. */
        orderId: bigint;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Found. */
      200: {
        headers: {
          /** @description Strong entity tag of the body, for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 1
           *     }
           */
          'application/json': components['schemas']['Order'];
        };
      };
      /** @description The copy that the client holds is current; there is no body. */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request breaks a rule; the message names every field and what it must be. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "invalid_request",
           *       "message": "The request breaks a rule; the message names every field and what it must be.",
           *       "status": 400
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The API key is missing or invalid. */
      401: {
        headers: {
          /** @description The challenge (RFC 6750). */
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "unauthorized",
           *       "message": "The API key is missing or invalid.",
           *       "status": 401
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Nothing is at this address, or no animal has this id. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "not_found",
           *       "message": "Nothing is at this address, or no animal has this id.",
           *       "status": 404
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "request_timeout",
           *       "message": "The request did not arrive in time.",
           *       "status": 408
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The API key sent too many requests; `Retry-After` says when to try again. */
      429: {
        headers: {
          /** @description Seconds to wait before the next try. */
          'Retry-After'?: number;
          /**
           * @description How many requests (`q`) the API key may send in how many seconds (`w`), where a limit is set: on every answer, as draft-ietf-httpapi-ratelimit-headers-10 has it.
           * @example "default";q=600;w=60
           */
          'RateLimit-Policy'?: string;
          /**
           * @description How many requests are left (`r`), and after how many seconds (`t`) there are more: on every answer.
           * @example "default";r=0;t=30
           */
          RateLimit?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "rate_limited",
           *       "message": "The API key sent too many requests; Retry-After says when to try again.",
           *       "status": 429
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The header fields of the request are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "headers_too_large",
           *       "message": "The header fields of the request are too large.",
           *       "status": 431
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service failed. Quote the `X-Request-Id` of the answer when you report it. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "internal_error",
           *       "message": "The service failed. Quote the X-Request-Id of the answer when you report it.",
           *       "status": 500
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service or its database is not available; `Retry-After` says when to try again. */
      503: {
        headers: {
          /** @description Seconds to wait before the next try. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "service_unavailable",
           *       "message": "The service or its database is not available; Retry-After says when to try again.",
           *       "status": 503
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  deliverOrder: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The ID of the order to deliver. */
        orderId: bigint;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description What the order has become. */
      200: {
        headers: {
          /** @description Strong entity tag of the body, for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 1
           *     }
           */
          'application/json': components['schemas']['Order'];
        };
      };
      /** @description The request breaks a rule; the message names every field and what it must be. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "invalid_request",
           *       "message": "The request breaks a rule; the message names every field and what it must be.",
           *       "status": 400
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The API key is missing or invalid. */
      401: {
        headers: {
          /** @description The challenge (RFC 6750). */
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "unauthorized",
           *       "message": "The API key is missing or invalid.",
           *       "status": 401
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Nothing is at this address, or no animal has this id. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "not_found",
           *       "message": "Nothing is at this address, or no animal has this id.",
           *       "status": 404
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "request_timeout",
           *       "message": "The request did not arrive in time.",
           *       "status": 408
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The order was delivered or cancelled before. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "order_closed",
           *       "message": "The order was delivered or cancelled before.",
           *       "status": 409
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The API key sent too many requests; `Retry-After` says when to try again. */
      429: {
        headers: {
          /** @description Seconds to wait before the next try. */
          'Retry-After'?: number;
          /**
           * @description How many requests (`q`) the API key may send in how many seconds (`w`), where a limit is set: on every answer, as draft-ietf-httpapi-ratelimit-headers-10 has it.
           * @example "default";q=600;w=60
           */
          'RateLimit-Policy'?: string;
          /**
           * @description How many requests are left (`r`), and after how many seconds (`t`) there are more: on every answer.
           * @example "default";r=0;t=30
           */
          RateLimit?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "rate_limited",
           *       "message": "The API key sent too many requests; Retry-After says when to try again.",
           *       "status": 429
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The header fields of the request are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "headers_too_large",
           *       "message": "The header fields of the request are too large.",
           *       "status": 431
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service failed. Quote the `X-Request-Id` of the answer when you report it. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "internal_error",
           *       "message": "The service failed. Quote the X-Request-Id of the answer when you report it.",
           *       "status": 500
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service or its database is not available; `Retry-After` says when to try again. */
      503: {
        headers: {
          /** @description Seconds to wait before the next try. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "service_unavailable",
           *       "message": "The service or its database is not available; Retry-After says when to try again.",
           *       "status": 503
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  cancelOrder: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The ID of the order to cancel. */
        orderId: bigint;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description What the order has become. */
      200: {
        headers: {
          /** @description Strong entity tag of the body, for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 1
           *     }
           */
          'application/json': components['schemas']['Order'];
        };
      };
      /** @description The request breaks a rule; the message names every field and what it must be. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "invalid_request",
           *       "message": "The request breaks a rule; the message names every field and what it must be.",
           *       "status": 400
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The API key is missing or invalid. */
      401: {
        headers: {
          /** @description The challenge (RFC 6750). */
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "unauthorized",
           *       "message": "The API key is missing or invalid.",
           *       "status": 401
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description Nothing is at this address, or no animal has this id. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "not_found",
           *       "message": "Nothing is at this address, or no animal has this id.",
           *       "status": 404
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "request_timeout",
           *       "message": "The request did not arrive in time.",
           *       "status": 408
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The order was delivered or cancelled before. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "order_closed",
           *       "message": "The order was delivered or cancelled before.",
           *       "status": 409
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The API key sent too many requests; `Retry-After` says when to try again. */
      429: {
        headers: {
          /** @description Seconds to wait before the next try. */
          'Retry-After'?: number;
          /**
           * @description How many requests (`q`) the API key may send in how many seconds (`w`), where a limit is set: on every answer, as draft-ietf-httpapi-ratelimit-headers-10 has it.
           * @example "default";q=600;w=60
           */
          'RateLimit-Policy'?: string;
          /**
           * @description How many requests are left (`r`), and after how many seconds (`t`) there are more: on every answer.
           * @example "default";r=0;t=30
           */
          RateLimit?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "rate_limited",
           *       "message": "The API key sent too many requests; Retry-After says when to try again.",
           *       "status": 429
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The header fields of the request are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "headers_too_large",
           *       "message": "The header fields of the request are too large.",
           *       "status": 431
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service failed. Quote the `X-Request-Id` of the answer when you report it. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "internal_error",
           *       "message": "The service failed. Quote the X-Request-Id of the answer when you report it.",
           *       "status": 500
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description The service or its database is not available; `Retry-After` says when to try again. */
      503: {
        headers: {
          /** @description Seconds to wait before the next try. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "code": "service_unavailable",
           *       "message": "The service or its database is not available; Retry-After says when to try again.",
           *       "status": 503
           *     }
           */
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
}
