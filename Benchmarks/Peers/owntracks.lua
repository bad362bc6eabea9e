-- Requests of OwnTracks for wrk: each is one position of one of DEVICES devices, in turn. A device moves north by 10 m
-- a message, in seconds that follow one another. Arguments: DEVICES TOKEN FIRST_SECOND.
-- For one thread of wrk.
function init(arguments)
  devices = tonumber(arguments[1])
  first_second = tonumber(arguments[3])
  sent = 0
  headers = { ["Content-Type"] = "application/json", ["Authorization"] = "Bearer " .. arguments[2] }
end

function request()
  local device = sent % devices
  local step = math.floor(sent / devices)
  sent = sent + 1
  local latitude = 45 + (device % 100) / 20 + step % 5000 * 0.00009
  local longitude = 5 + math.floor(device / 100) / 20
  local body = string.format(
    '{"_type":"location","tid":"d%d","lat":%.6f,"lon":%.6f,"tst":%d,"acc":8,"vel":36,"cog":0,"alt":200,"batt":80}',
    device % 100, latitude, longitude, first_second + step)
  return wrk.format("POST", "/owntracks?u=bench&d=d" .. device, headers, body)
end

function done(summary, latency)
  io.write(string.format(
    "%d %.0f %.2f %.2f %.2f %d\n", summary.requests, summary.requests / summary.duration * 1e6,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, latency.max / 1000,
    summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.timeout))
end
