// libFuzzer target of frames. The first byte chooses the reader: particles, contacts, bonds, walls, or the time alone.
#include "fuzz.h"
#include "io/frames/contact_lines.h"
#include "io/frames/frame_files.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace areia;
  if (size == 0) return 0;
  static const fuzz::Folder folder;
  Frame frame;  // three grains for contacts and bonds to join
  for (int k = 0; k < 3; ++k) {
    frame.particles.id.push_back(k);
    frame.particles.x.push_back({0.1 * k, 0, 0});
    frame.particles.radius.push_back(0.06);
  }
  return fuzz::expect_typed_errors([&] {
    const auto path = folder.write("frame.vtp", fuzz::text_of(data + 1, size - 1));
    switch (data[0] % 5) {
      case 0:
        read_particles_vtp(path);
        return;
      case 1:
        read_contacts_vtp(path, frame);
        for (const FrameContact& c : frame.contacts) contact_line(frame, c);  // as a picture does
        return;
      case 2:
        read_bonds_vtp(path, frame);
        for (const FrameBond& b : frame.bonds) bond_line(frame, b);
        return;
      case 3:
        read_walls_vtp(path, frame);
        return;
      default:
        read_frame_time(path);
    }
  });
}
