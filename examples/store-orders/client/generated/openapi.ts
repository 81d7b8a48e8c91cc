/** Generated from the OpenAPI document by `npm run example:types`: change that, and never this file. */

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
     * @description Returns a paginated list of animals in ascending order of id. If more follow, the response has the header `Link: <…>; rel="next"` with the address of the next page. If you follow these links, you get every animal exactly once, even while others are added.
     *
     *     Requires the scope `pets:read` if the API key has a list of scopes.
     */
    get: operations['listPets'];
    put?: never;
    /**
     * Add an animal
     * @description Adds a new animal to the store. With an `Idempotency-Key`, the request can be repeated safely if its response was lost.
     *
     *     Requires the scope `pets:write` if the API key has a list of scopes.
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
     * @description Deprecated: it will be removed on 5 December 2030. Returns details of one animal by ID. Use `GET /pets` with the status filter instead.
     *
     *     Requires the scope `pets:read` if the API key has a list of scopes.
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
     * @description Returns a paginated list of orders in ascending order of id. If more follow, the response has the header `Link: <…>; rel="next"` with the address of the next page. If you follow these links, you get every order exactly once, even while others are added.
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
       * @example 1041
       */
      id: bigint;
      /**
       * @description The animal's name.
       * @example Bella
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
      status: components['schemas']['PetStatus'];
    };
    /** @description An animal to be added. */
    NewPet: {
      /**
       * @description The animal's name, stored exactly as it is sent. It has at least one character that is not blank, at most 255 Unicode code points, no NUL (U+0000), and no unpaired surrogate.
       * @example Bella
       */
      name: string;
      /**
       * Format: int64
       * @description The ID of the category the animal belongs to.
       * @example 7
       */
      categoryId: bigint;
      /**
       * @description Availability of the animal. If it is left out, the animal is `available`.
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
       * @description What went wrong, for programs. New codes may be added: if you do not know a code, use `status`.
       *
       *     The codes today: `invalid_request` (400), `unauthorized` (401), `forbidden` (403), `not_found` (404), `method_not_allowed` (405), `not_acceptable` (406), `request_timeout` (408), `conflict` (409), `gone` (410), `precondition_failed` (412), `payload_too_large` (413), `unsupported_media_type` (415), `unprocessable_content` (422), `idempotency_key_reused` (422), `rate_limited` (429), `headers_too_large` (431), `internal_error` (500), `not_implemented` (501), `bad_gateway` (502), `service_unavailable` (503), `gateway_timeout` (504).
       *
       *     - `pet_not_available` (409): Somebody else has ordered the animal.
       *     - `order_closed` (409): The order was delivered or cancelled before.
       * @example invalid_request
       */
      code: string;
      /**
       * @description Human-readable description.
       * @example name is required and must be a string
       */
      message: string;
      /**
       * Format: int32
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
  responses: {
    /** @description The request breaks a rule. The message names every field that is wrong, and what it must be. */
    InvalidRequest: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": "invalid_request",
         *       "message": "name is required and must be a string",
         *       "status": 400
         *     }
         */
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The API key is missing or invalid. */
    Unauthorized: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'WWW-Authenticate': components['headers']['WWW-Authenticate'];
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": "unauthorized",
         *       "message": "An API key is required: send the header Authorization: Bearer <API_KEY>",
         *       "status": 401
         *     }
         */
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The API key is valid, but does not permit this request. */
    Forbidden: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": "forbidden",
         *       "message": "The API key is valid, but does not permit this request.",
         *       "status": 403
         *     }
         */
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The request did not arrive in time. */
    RequestTimeout: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": "request_timeout",
         *       "message": "The request did not arrive in time: send it again on a new connection",
         *       "status": 408
         *     }
         */
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The API key sent too many requests. `Retry-After` says when to try again. */
    RateLimited: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Retry-After': components['headers']['Retry-After'];
        'RateLimit-Policy': components['headers']['RateLimit-Policy'];
        RateLimit: components['headers']['RateLimit'];
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": "rate_limited",
         *       "message": "This API key may send 600 requests in a minute: try again in 30 s",
         *       "status": 429
         *     }
         */
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The header fields of the request are too large. */
    HeadersTooLarge: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": "headers_too_large",
         *       "message": "The address and the header fields are larger than 16 KiB: send fewer or shorter ones",
         *       "status": 431
         *     }
         */
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The service failed. Quote the `X-Request-Id` of the response when you report it. */
    InternalError: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": "internal_error",
         *       "message": "The service failed to handle the request: report the X-Request-Id of this response",
         *       "status": 500
         *     }
         */
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The service or its database is not available. `Retry-After` says when to try again. */
    ServiceUnavailable: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": "service_unavailable",
         *       "message": "The database is not available at the moment: try again later",
         *       "status": 503
         *     }
         */
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The body is larger than the service accepts. */
    PayloadTooLarge: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": "payload_too_large",
         *       "message": "The body is larger than 102400 bytes, the most that is accepted",
         *       "status": 413
         *     }
         */
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The body is not `application/json`, or has an encoding that is not supported. */
    UnsupportedMediaType: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Accept-Post': components['headers']['Accept-Post'];
        'Accept-Encoding': components['headers']['Accept-Encoding'];
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": "unsupported_media_type",
         *       "message": "The body must be JSON in UTF-8: send the header Content-Type: application/json",
         *       "status": 415
         *     }
         */
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The `Idempotency-Key` was used before for a different request. */
    IdempotencyKeyReused: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": "idempotency_key_reused",
         *       "message": "The Idempotency-Key was used before with another body: send a new key with a new request",
         *       "status": 422
         *     }
         */
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description Nothing exists at this address, or with this ID. */
    NotFound: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": "not_found",
         *       "message": "There is nothing at this address",
         *       "status": 404
         *     }
         */
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description Somebody else has ordered the animal. */
    PetNotAvailable: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
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
    /** @description The order was delivered or cancelled before. */
    OrderClosed: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
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
  };
  parameters: never;
  requestBodies: never;
  headers: {
    /**
     * @description The ID of this request in the log of the service. It is the `X-Request-Id` of the request if that has 1 to 128 of the characters `A-Z a-z 0-9 . _ : = / + -`; otherwise it is new. Quote it when you report a problem.
     * @example 6f9619ff-8b86-4d01-b42d-00cf4fc964ff
     */
    'X-Request-Id': string;
    /**
     * @description Strong entity tag of the body, for `If-None-Match` (RFC 9110).
     * @example "xGbkXqRWfN0RzXvhW2nJ_3XbE9c"
     */
    ETag: string;
    /**
     * @description The address of the next page, if there is one: a path with a query, and `rel="next"` (RFC 8288).
     * @example </v1/pets?limit=3&cursor=AgAAAAAAAAQTw4uyE2vBl1JxkG0Oq8hYHg>; rel="next"
     */
    Link: string;
    /**
     * @description The address of what was created: a path.
     * @example /v1/pets/1041
     */
    Location: string;
    /** @description `true` if an earlier request with the same `Idempotency-Key` was carried out. This is the response to it. */
    'Idempotent-Replayed': true;
    /**
     * @description The challenge (RFC 6750). It has `error="invalid_token"` if a key was sent.
     * @example Bearer realm="animal-store", error="invalid_token"
     */
    'WWW-Authenticate': string;
    /**
     * @description The media types that the service accepts, if the body had another one.
     * @example application/json
     */
    'Accept-Post': string;
    /**
     * @description The encodings that the service accepts, if the body had another one (RFC 9110).
     * @example identity
     */
    'Accept-Encoding': string;
    /**
     * @description How many seconds to wait before the next attempt (RFC 9110).
     * @example 1
     */
    'Retry-After': number;
    /**
     * @description If there is a limit: how many requests (`q`) the API key may send in how many seconds (`w`) (draft-ietf-httpapi-ratelimit-headers-10).
     * @example "default";q=600;w=60
     */
    'RateLimit-Policy': string;
    /**
     * @description If there is a limit: how many requests are left (`r`), and in how many seconds it starts again (`t`).
     * @example "default";r=599;t=60
     */
    RateLimit: string;
    /**
     * @description When the operation was deprecated: `@` and the seconds since 1970 (RFC 9745).
     * @example @1795132800
     */
    Deprecation: string;
    /**
     * @description When the operation will be removed (RFC 8594).
     * @example Thu, 05 Dec 2030 00:00:00 GMT
     */
    Sunset: string;
    /**
     * @description The address of the replacement (RFC 5829).
     * @example </v1/pets>; rel="successor-version"
     */
    SuccessorLink: string;
  };
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  listPets: {
    parameters: {
      query?: {
        /** @description Maximum number of items returned. */
        limit?: number;
        /** @description Where the page begins. Take it from the `Link` header of the previous page, and send it with the same filters. */
        cursor?: string;
        /** @description Filters by availability status. */
        status?: components['schemas']['PetStatus'];
      };
      header?: {
        /**
         * @description The entity tags of the copies that the client has. If one of them is current, the response is 304.
         * @example "xGbkXqRWfN0RzXvhW2nJ_3XbE9c"
         */
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
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          ETag: components['headers']['ETag'];
          Link: components['headers']['Link'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Pets'];
        };
      };
      /** @description The copy that the client has is current. The response has no body. */
      304: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          ETag: components['headers']['ETag'];
          Link: components['headers']['Link'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['InvalidRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  createPet: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to repeat the request. Send a new value, such as a UUID, for each new animal. Within 24 hours, requests with the same value and the same API key have the same response, also those that are sent at the same time: one animal is added. Their bodies must describe the same animal. An error is not remembered: send the request again with the same value, corrected if necessary. */
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
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          ETag: components['headers']['ETag'];
          Location: components['headers']['Location'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Animal'];
        };
      };
      400: components['responses']['InvalidRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      408: components['responses']['RequestTimeout'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getPet: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description The entity tags of the copies that the client has. If one of them is current, the response is 304.
         * @example "xGbkXqRWfN0RzXvhW2nJ_3XbE9c"
         */
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
          Deprecation: components['headers']['Deprecation'];
          Sunset: components['headers']['Sunset'];
          Link: components['headers']['SuccessorLink'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Animal'];
        };
      };
      /** @description The copy that the client has is current. The response has no body. */
      304: {
        headers: {
          Deprecation: components['headers']['Deprecation'];
          Sunset: components['headers']['Sunset'];
          Link: components['headers']['SuccessorLink'];
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['InvalidRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listOrders: {
    parameters: {
      query?: {
        /** @description Maximum number of items returned. */
        limit?: number;
        /** @description Where the page begins. Take it from the `Link` header of the previous page, and send it with the same filters. */
        cursor?: string;
        /** @description Filters by status. */
        status?: components['schemas']['OrderStatus'];
      };
      header?: {
        /**
         * @description The entity tags of the copies that the client has. If one of them is current, the response is 304.
         * @example "xGbkXqRWfN0RzXvhW2nJ_3XbE9c"
         */
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
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          ETag: components['headers']['ETag'];
          Link: components['headers']['Link'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Orders'];
        };
      };
      /** @description The copy that the client has is current. The response has no body. */
      304: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          ETag: components['headers']['ETag'];
          Link: components['headers']['Link'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['InvalidRequest'];
      401: components['responses']['Unauthorized'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  placeOrder: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to repeat the request. Send a new value, such as a UUID, for each new order. Within 24 hours, requests with the same value and the same API key have the same response, also those that are sent at the same time: one order is placed. Their bodies must describe the same order. An error is not remembered: send the request again with the same value, corrected if necessary. */
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
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          ETag: components['headers']['ETag'];
          Location: components['headers']['Location'];
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Order'];
        };
      };
      400: components['responses']['InvalidRequest'];
      401: components['responses']['Unauthorized'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['PetNotAvailable'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getOrder: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description The entity tags of the copies that the client has. If one of them is current, the response is 304.
         * @example "xGbkXqRWfN0RzXvhW2nJ_3XbE9c"
         */
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
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Order'];
        };
      };
      /** @description The copy that the client has is current. The response has no body. */
      304: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['InvalidRequest'];
      401: components['responses']['Unauthorized'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
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
      /** @description The order after the change. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Order'];
        };
      };
      400: components['responses']['InvalidRequest'];
      401: components['responses']['Unauthorized'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['OrderClosed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
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
      /** @description The order after the change. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Order'];
        };
      };
      400: components['responses']['InvalidRequest'];
      401: components['responses']['Unauthorized'];
      404: components['responses']['NotFound'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['OrderClosed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
}
