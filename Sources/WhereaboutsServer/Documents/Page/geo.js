// Geometry for drawing and for texts. The server alone decides on fences.

const radius = 6_371_008.8;
const radians = Math.PI / 180;

/** The distance of two places in metres, on a sphere: within 0.6 % of the ellipsoid. */
export function distance(a, b) {
  const latitude = (b.lat - a.lat) * radians, longitude = (b.lon - a.lon) * radians;
  const chord = Math.sin(latitude / 2) ** 2
    + Math.cos(a.lat * radians) * Math.cos(b.lat * radians) * Math.sin(longitude / 2) ** 2;
  return 2 * radius * Math.asin(Math.min(1, Math.sqrt(chord)));
}

/** The area within a ring of places in square metres, on a sphere: the smaller part of the Earth, as for the server. */
export function area(ring) {
  let sum = 0;
  ring.forEach((place, index) => {
    const next = ring[(index + 1) % ring.length];
    const step = ((next.lon - place.lon + 540) % 360 - 180) * radians;
    sum += step * (2 + Math.sin(place.lat * radians) + Math.sin(next.lat * radians));
  });
  const part = Math.abs(sum * radius * radius / 2);
  return Math.min(part, 4 * Math.PI * radius * radius - part);
}

/** The length of a line of places in metres. */
export function lineLength(line) {
  return line.slice(1).reduce((sum, place, index) => sum + distance(line[index], place), 0);
}

/** Every position of a geometry of GeoJSON as a place. */
export function places(geometry) {
  if (geometry.type === "GeometryCollection") return geometry.geometries.flatMap(places);
  const depth = { Point: 0, LineString: 1, MultiPoint: 1, Polygon: 2, MultiLineString: 2, MultiPolygon: 3 };
  return [geometry.coordinates].flat(depth[geometry.type] ?? 0).map(([lon, lat]) => ({ lat, lon }));
}

/** The number of degrees that stands for a longitude and lies nearest to another one, beyond ±180° where it has to. */
export function nearestLongitude(longitude, reference) {
  return longitude + 360 * Math.round((reference - longitude) / 360);
}

/** Places whose longitudes have no jump at 180°, the first one near a reference. */
export function unwrapped(line, reference) {
  let last = reference ?? line[0]?.lon;
  return line.map((place) => {
    last = nearestLongitude(place.lon, last);
    return last === place.lon ? place : { ...place, lon: last };
  });
}
