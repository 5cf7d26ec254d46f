// Spheres and rods as impostors: a rectangle each, on which the fragment shader finds the ray's hit and its depth.

// Number c of n of thing k, from a texture whose rows have 1024 things; the corner of its rectangle, -1 or 1 each way.
const fetching = `
float number(sampler2D numbers, int k, int n, int c) {
  return texelFetch(numbers, ivec2((k & 1023) * n + c, k >> 10), 0).r;
}
vec3 triple(sampler2D numbers, int k, int n, int c) {
  return vec3(number(numbers, k, n, c), number(numbers, k, n, c + 1), number(numbers, k, n, c + 2));
}
vec2 cornerOf(int vertex) {
  int c = vertex & 3;
  return vec2(c == 1 || c == 2 ? 1.0 : -1.0, c >= 2 ? 1.0 : -1.0);
}
`;

// The rectangle stands across the line of sight through the centre, as wide as the cone that touches the sphere:
// r d / sqrt(d^2 - r^2) at the distance d of the centre.
export const sphereVertex = `
precision highp sampler2D;
uniform sampler2D centres, radii, values, presences, order;
uniform int chosen;
out vec3 place;
flat out vec3 middle;
flat out float size;
flat out float shownValue;
flat out float isChosen;
flat out float isPale;
${fetching}void main() {
  int k = int(number(order, gl_VertexID >> 2, 1, 0));
  vec2 corner = cornerOf(gl_VertexID);
  float presence = number(presences, k, 1, 0), radius = number(radii, k, 1, 0);
  isPale = presence > 1.5 ? 1.0 : 0.0;
  vec3 c = (modelViewMatrix * vec4(triple(centres, k, 3, 0), 1.0)).xyz;
  float d2 = dot(c, c);
  float reach = radius * sqrt(d2 / max(d2 - radius * radius, 1e-3 * d2));
  vec3 to = c * inversesqrt(d2);
  vec3 u = normalize(abs(to.y) < 0.9 ? cross(to, vec3(0.0, 1.0, 0.0)) : cross(to, vec3(1.0, 0.0, 0.0)));
  vec3 w = cross(u, to);
  place = c + reach * (corner.x * u + corner.y * w);
  middle = c;
  size = radius;
  shownValue = number(values, k, 1, 0);
  isChosen = k == chosen ? 1.0 : 0.0;
  gl_Position = presence < 0.5 ? vec4(2.0, 2.0, 2.0, 1.0) : projectionMatrix * vec4(place, 1.0);
}`;

// What is kept of a scene that is cut: n . p <= d for all planes (n, d), in coordinates of the camera.
const cutting = `
uniform vec4 planes[6];
uniform int planeCount;
`;

// A sphere that is cut has a flat face.
export const sphereFragment = `
precision highp float;
in vec3 place;
flat in vec3 middle;
flat in float size;
flat in float shownValue;
flat in float isChosen;
flat in float isPale;
${cutting}uniform mat4 projectionMatrix;
uniform sampler2D map;
uniform vec2 range;
uniform float kinds;
uniform float pale;
uniform vec3 paper;
uniform vec3 light;
out vec4 colour;
void main() {
  vec3 ray = normalize(place);
  float along = dot(ray, middle);
  vec3 across = middle - along * ray;
  float inside = size * size - dot(across, across);
  if (inside < 0.0) discard;
  float begin = along - sqrt(inside);
  vec3 face = vec3(0.0);
  if (planeCount > 0) {
    float end = along + sqrt(inside);
    for (int k = 0; k < planeCount; ++k) {
      float slope = dot(planes[k].xyz, ray), at = planes[k].w / slope;
      if (slope > 0.0) end = min(end, at);
      else if (slope < 0.0 && at > begin) {
        begin = at;
        face = planes[k].xyz;
      } else if (slope == 0.0 && planes[k].w < 0.0) discard;
    }
    if (begin > end) discard;
  }
  vec3 hit = begin * ray;
  vec3 normal = dot(face, face) > 0.0 ? face : (hit - middle) / size;
  vec4 clip = projectionMatrix * vec4(hit, 1.0);
  gl_FragDepth = 0.5 * clip.z / clip.w + 0.5;
  float s = kinds > 0.5 ? (mod(shownValue, 256.0) + 0.5) / 256.0
                        : (clamp((shownValue - range.x) / (range.y - range.x), 0.0, 1.0) * 255.0 + 0.5) / 256.0;
  vec3 base = texture(map, vec2(s, 0.5)).rgb;
  if (!(shownValue == shownValue)) base = vec3(0.5);
  float facing = -dot(normal, ray);
  float diffuse = max(0.0, dot(normal, light));
  float shine = pow(max(0.0, dot(reflect(-light, normal), -ray)), 24.0);
  vec3 lit = base * (0.42 + 0.2 * facing + 0.5 * diffuse) + 0.12 * shine;
  lit *= 0.55 + 0.45 * smoothstep(0.0, 0.45, facing);
  if (dot(face, face) > 0.0) lit = 0.88 * base;
  lit = mix(lit, paper, max(pale, isPale) * (0.72 + 0.2 * facing));
  if (isChosen > 0.5) lit = facing < 0.5 ? vec3(1.0, 0.36, 0.1) : mix(lit, vec3(1.0, 0.62, 0.2), 0.35);
  colour = vec4(lit, 1.0);
}`;

// A bond without force is there all the same.
export const rodVertex = `
precision highp sampler2D;
uniform sampler2D ends, forces;
uniform int firstBond;
uniform vec2 range;
uniform float width;
out float across;
flat out float strength;
flat out float pulls;
out vec3 place;
${fetching}void main() {
  int k = gl_VertexID >> 2;
  vec2 corner = cornerOf(gl_VertexID);
  vec3 from = triple(ends, k, 6, 0), to = triple(ends, k, 6, 3);
  float value = number(forces, k, 1, 0), least = k >= firstBond ? 0.1 : 0.0;
  pulls = value < 0.0 ? 1.0 : 0.0;
  vec3 a = (modelViewMatrix * vec4(from, 1.0)).xyz, b = (modelViewMatrix * vec4(to, 1.0)).xyz;
  strength = clamp((abs(value) - range.x) / (range.y - range.x), 0.0, 1.0);
  vec3 middle = 0.5 * (a + b);
  vec3 side = normalize(cross(b - a, middle));
  across = corner.x;
  float shown = max(strength, least);
  vec3 p = mix(a, b, 0.5 + 0.5 * corner.y) + corner.x * 0.5 * width * pow(shown, 0.7) * side;
  place = p;
  gl_Position = shown < 0.04 ? vec4(2.0, 2.0, 2.0, 1.0) : projectionMatrix * vec4(p, 1.0);
}`;

export const rodFragment = `
precision highp float;
in float across;
in vec3 place;
flat in float strength;
flat in float pulls;
${cutting}uniform sampler2D map, pullMap;
out vec4 colour;
void main() {
  for (int k = 0; k < planeCount; ++k) if (dot(planes[k].xyz, place) > planes[k].w) discard;
  vec2 s = vec2((strength * 255.0 + 0.5) / 256.0, 0.5);
  vec3 base = pulls > 0.5 ? texture(pullMap, s).rgb : texture(map, s).rgb;
  colour = vec4(base * (0.72 + 0.34 * sqrt(max(0.0, 1.0 - across * across))), 1.0);
}`;

// A facet before the grains is all but clear: one of a wall that bends round (kind 2) when it faces the eye, others by the
// wall (kind 1). Endless walls fade away from the scene.
export const wallVertex = `
in vec3 facet;
in float endless, kind;
out vec3 place;
out vec3 turned;
flat out float fades, standing;
void main() {
  vec4 p = modelViewMatrix * vec4(position, 1.0);
  place = p.xyz;
  turned = normalMatrix * facet;
  fades = endless;
  standing = kind;
  gl_Position = projectionMatrix * p;
}`;

export const wallFragment = `
precision highp float;
in vec3 place;
in vec3 turned;
flat in float fades, standing;
${cutting}uniform vec3 middle;
uniform float size;
uniform vec3 tint;
uniform float opacity;
uniform vec3 light;
out vec4 colour;
void main() {
  for (int k = 0; k < planeCount; ++k) if (dot(planes[k].xyz, place) > planes[k].w) discard;
  vec3 normal = normalize(turned);
  bool before = standing > 1.5 ? dot(normal, place) < 0.0 : standing > 0.5;
  float alpha = before ? 0.12 * opacity : opacity;
  if (fades > 0.5) alpha *= 1.0 - smoothstep(0.55, 1.25, distance(place, middle) / size);
  colour = vec4(tint * (0.86 + 0.2 * abs(dot(normal, light))), alpha);
}`;
