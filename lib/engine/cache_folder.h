// SPDX-License-Identifier: GPL-3.0-or-later
//
// A folder whose files this process believes, since only its own user can have written
// them: compiled kernels are code. Everything in it is reached by the folder's
// descriptor, so that what was checked is what is used.

#ifndef INCLUDED_GPUFFT_CACHE_FOLDER_H
#define INCLUDED_GPUFFT_CACHE_FOLDER_H

#include <cstddef>
#include <ctime>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

class cache_folder
{
public:
    enum class if_missing { leave, make };

    // `make` makes the folder and those above it, for this user alone (mode 0700). One
    // line on the log tells why a folder is not used.
    explicit cache_folder(const std::string& path,
                          if_missing missing = if_missing::leave);
    ~cache_folder();
    cache_folder(const cache_folder&) = delete;
    cache_folder& operator=(const cache_folder&) = delete;

    // False if it is not there or not used.
    explicit operator bool() const { return d_descriptor >= 0; }

    // Why it is not used; "" if it is, or is not there.
    const std::string& reason() const { return d_reason; }

    // What a regular file holds; "" if there is none, or one that is not this user's
    // alone to write, of which the log tells.
    std::string read(const std::string& name) const;

    // Writes a new file (mode 0600) and renames it, so that no reader meets half of it.
    // Nothing happens where that cannot be.
    void replace(const std::string& name, const std::string& content) const;

    // Notes that a file was used.
    void touch(const std::string& name) const;

    void remove(const std::string& name) const;

    struct file {
        std::string name;
        std::size_t bytes;
        std::time_t used; // written or touched
    };
    // The regular files.
    std::vector<file> files() const;

    // Sole right to change files, against others who ask for it, until destroyed. Whoever
    // waits ten seconds for it goes on without.
    class lock
    {
    public:
        explicit lock(const cache_folder& folder);
        ~lock();
        lock(const lock&) = delete;
        lock& operator=(const lock&) = delete;

    private:
        int d_descriptor; // -1: not locked
    };

private:
    const std::string d_path;
    std::string d_reason;
    int d_descriptor = -1;
};

// Whether a file of this name is one that replace() has not finished.
bool is_unfinished(const std::string& name);

// Whether it never will be: its writer is gone.
bool is_stale(const cache_folder::file& file);

} // namespace gpufft
} // namespace gr

#endif
