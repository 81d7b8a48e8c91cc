-- Replays the requests of a file, "METHOD path body" per line, and prints the result as one line of JSON.

local threads = 0

function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

function init(args)
  local json_headers = { ["Content-Type"] = "application/json" }
  for name, value in pairs(wrk.headers) do json_headers[name] = value end

  requests = {}
  for line in io.lines(args[1]) do
    local method, path, body = line:match("^(%S+) (%S+) ?(.*)$")
    local has_body = body ~= ""
    requests[#requests + 1] =
      wrk.format(method, path, has_body and json_headers or wrk.headers, has_body and body or nil)
  end
  -- Threads start at places far apart, so that they don't send the same requests at the same time.
  position = number * 7919 % #requests
end

function request()
  position = position % #requests + 1
  return requests[position]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"seconds":%.6f,"p99":%.3f,"errors":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(99) / 1e3,
    errors.status + errors.connect + errors.read + errors.write + errors.timeout
  ))
end
