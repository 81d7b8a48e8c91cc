-- Replays the requests of a file, "METHOD path body" per line, and prints the result as one line of JSON. With a second argument
-- each request gets an Idempotency-Key of its own, which begins with that argument.

-- What stands in a prepared request for the number of its key.
local PLACE = "@NUMBER@"

function init(args)
  local json_headers = { ["Content-Type"] = "application/json" }
  for name, value in pairs(wrk.headers) do json_headers[name] = value end
  if args[2] then json_headers["Idempotency-Key"] = args[2] .. PLACE end

  requests = {}
  for line in io.lines(args[1]) do
    local method, path, body = line:match("^(%S+) (%S+) ?(.*)$")
    local has_body = body ~= ""
    local text = wrk.format(method, path, has_body and json_headers or wrk.headers, has_body and body or nil)
    local start, finish = text:find(PLACE, 1, true)
    requests[#requests + 1] = { text = text, before = start and text:sub(1, start - 1), after = start and text:sub(finish + 1) }
  end
  position = 0
  number = 0
end

function request()
  position = position % #requests + 1
  local next = requests[position]
  if not next.before then return next.text end
  number = number + 1
  return next.before .. number .. next.after
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"seconds":%.6f,"p99":%.3f,"errors":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(99) / 1e3,
    errors.status + errors.connect + errors.read + errors.write + errors.timeout
  ))
end
